// Goes on once the server is there again.
const wanted = localStorage.getItem('knowhow-language') ?? navigator.language;
document.documentElement.lang = wanted.startsWith('de') ? 'de' : 'en';
document.querySelector('button').addEventListener('click', () => location.reload());
addEventListener('online', look);
setInterval(look, 5000);

function look() {
  fetch('/api/health').then(
    (answer) => answer.ok && location.reload(),
    () => undefined,
  );
}
