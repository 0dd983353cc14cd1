// Filled by the page.
