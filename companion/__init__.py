"""The table companion: the game itself, and the program that joins the parts."""
