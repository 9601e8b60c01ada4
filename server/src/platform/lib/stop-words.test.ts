import { expect, test } from 'vitest';
import { searchWords } from './search-words.ts';
import { detectLanguage, stopWords } from './stop-words.ts';

test.each([
  ['en', 'Turn the notes of a meeting into decisions and actions.'],
  ['en', 'tables'],
  ['en', ''],
  ['en', 'office in LA'],
  ['en', 'EN ISO 9001'],
  ['en', 'pull request comment'],
  ['en', 'el => el.id'],
  ['en', '从文件中提取表格'],
  ['de', 'Macht aus Notizen einer Besprechung Beschlüsse und Aufgaben.'],
  ['de', 'Protokoll der Sitzung'],
  ['es', 'Convierte las notas de una reunión en decisiones y tareas.'],
  ['fr', 'Transforme les notes d’une réunion en décisions et en tâches.'],
  ['ja', '会議のメモを決定事項とタスクにまとめます。'],
  ['ja', 'メモ'],
])('recognizes the language %s: %s', (language, text) => {
  expect(detectLanguage(searchWords(text), stopWords)).toBe(language);
});
