"""The Void Seeders: insanity, panic, and cards of their own."""
