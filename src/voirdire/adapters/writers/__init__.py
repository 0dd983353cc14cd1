"""Forms of export that one instrument alone has. Its description names the function; nothing here is shared."""
