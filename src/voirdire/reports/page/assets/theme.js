// The theme that was chosen here before, if the browser lets a file remember anything.
try {
  const theme = localStorage.getItem("voirdire-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // No storage: the theme follows the system.
}
