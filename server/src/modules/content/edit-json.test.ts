import { expect, test } from 'vitest';
import { cpuTime } from '../../testing/cpu-time.ts';
import { editJson } from './edit-json.ts';

const text = `{
    "skills": ["a", "b"],
    "name": { "en": "Chat", "de": "Chat" },
    "nested": {
        "list": [{ "x": 1 }, { "x": 2 }],
        "gone": true,
        "last": { "y": 1 }
    }
}
`;

test('rewrites only what has changed', () => {
  const value = JSON.parse(text);
  value.skills.push('c');
  value.name.de = 'Reden';
  value.nested.list[1].x = 3;
  delete value.nested.gone;
  value.nested.more = ['a'];
  value.added = { z: {} };
  expect(editJson(text, value)).toBe(`{
    "skills": ["a", "b", "c"],
    "name": { "en": "Chat", "de": "Reden" },
    "nested": {
        "list": [{ "x": 1 }, { "x": 3 }],
        "last": { "y": 1 },
        "more": [
            "a"
        ]
    },
    "added": {
        "z": {}
    }
}
`);
});

test('removes the first and the last entry', () => {
  const { skills: _, nested: __, ...value } = JSON.parse(text);
  expect(editJson(text, value)).toBe('{\n    "name": { "en": "Chat", "de": "Chat" }\n}\n');
});

test('treats a different key order as unchanged', () => {
  const { nested, ...rest } = JSON.parse(text);
  expect(editJson(text, { nested, ...rest })).toBe(text);
});

test.each([
  ['{\r\n\t"a": 1\r\n}\r\n', '{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": 2\r\n\t}\r\n}\r\n'],
  ['{}', '{\n  "a": 1,\n  "b": {\n    "c": 2\n  }\n}'],
  ['{ "a": 1 }\n', '{ "a": 1,\n  "b": {\n    "c": 2\n  }\n}\n'],
])('keeps indentation, line ends and the end of the file: %j', (before, after) => {
  expect(editJson(before, { a: 1, b: { c: 2 } })).toBe(after);
});

test.each([
  ['has a duplicate key', '{\n "a": 1,\n "a": 2\n}'],
  ['is not JSON', '{ "a": '],
  ['is empty', ''],
  ['has another type', '[1]'],
])('replaces a text that %s', (_what, broken) => {
  expect(JSON.parse(editJson(broken, { a: 3, b: 4 }))).toEqual({ a: 3, b: 4 });
});

test('handles many changes as fast as rewriting everything', () => {
  const skills = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [`skill-${index}`, { enabled: true }]),
  );
  const off = Object.fromEntries(Object.keys(skills).map((key) => [key, { enabled: false }]));
  let edited = '';
  const cpuMs = cpuTime(() => {
    edited = editJson(JSON.stringify({ skills }, null, 2), { skills: off });
  });
  expect(cpuMs).toBeLessThan(1000);
  expect(edited).toBe(`${JSON.stringify({ skills: off }, null, 2)}\n`);
});

test('shortens a long list in linear time, and keeps one entry per line', () => {
  const names = Array.from({ length: 8000 }, (_, at) => `${at}-${'x'.repeat(190)}`);
  const before = `${JSON.stringify({ id: 'desk', skills: names }, null, 2)}\n`;
  const after = { id: 'desk', skills: names.slice(4000) };
  let edited = '';
  const cpuMs = cpuTime(() => {
    edited = editJson(before, after);
  });
  expect(cpuMs).toBeLessThan(1000);
  expect(edited).toBe(`${JSON.stringify(after, null, 2)}\n`);
});
