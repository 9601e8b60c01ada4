// Shows the page in the user's language, and reloads it once the server is reachable again. The build inserts the
// texts of all languages.
const texts = OFFLINE_TEXTS;
const tags = [localStorage.getItem('knowhow-language') ?? 'none', ...navigator.languages];
const language =
  tags.flatMap((tag) => [tag, tag.split('-')[0]]).find((tag) => Object.hasOwn(texts, tag)) ?? 'en';
document.documentElement.lang = language;
document.documentElement.dir = texts[language].direction;
for (const element of document.querySelectorAll('[data-text]')) {
  element.textContent = texts[language][element.dataset.text];
}
document.querySelector('button').addEventListener('click', () => location.reload());
addEventListener('online', reloadIfReachable);
setInterval(reloadIfReachable, 5000);

function reloadIfReachable() {
  fetch('/api/health').then(
    (answer) => answer.ok && location.reload(),
    () => undefined,
  );
}
