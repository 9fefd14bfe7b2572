"""The panel's pages and services, one blueprint a subject."""
