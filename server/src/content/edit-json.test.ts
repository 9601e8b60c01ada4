import { expect, test } from 'vitest';
import { cpuTime } from '../testing/cpu-time.ts';
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

test('only what differs is written again', () => {
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

test('the first and the last entry can be taken out', () => {
  const { skills: _, nested: __, ...value } = JSON.parse(text);
  expect(editJson(text, value)).toBe('{\n    "name": { "en": "Chat", "de": "Chat" }\n}\n');
});

test('another order of the same is no change', () => {
  const { nested, ...rest } = JSON.parse(text);
  expect(editJson(text, { nested, ...rest })).toBe(text);
});

test.each([
  ['{\r\n\t"a": 1\r\n}\r\n', '{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": 2\r\n\t}\r\n}\r\n'],
  ['{}', '{\n  "a": 1,\n  "b": {\n    "c": 2\n  }\n}'],
  ['{ "a": 1 }\n', '{ "a": 1,\n  "b": {\n    "c": 2\n  }\n}\n'],
])('tabs, ends of lines and the end are kept: %j', (before, after) => {
  expect(editJson(before, { a: 1, b: { c: 2 } })).toBe(after);
});

test.each([
  ['says a name twice', '{\n "a": 1,\n "a": 2\n}'],
  ['is not JSON', '{ "a": '],
  ['is empty', ''],
  ['is of another kind', '[1]'],
])('a text that %s holds the value in the end', (_what, broken) => {
  expect(JSON.parse(editJson(broken, { a: 3, b: 4 }))).toEqual({ a: 3, b: 4 });
});

test('very many changes take no longer than writing all again', () => {
  const skills = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [`skill-${index}`, { enabled: true }]),
  );
  const off = Object.fromEntries(Object.keys(skills).map((key) => [key, { enabled: false }]));
  let edited = '';
  const took = cpuTime(() => {
    edited = editJson(JSON.stringify({ skills }, null, 2), { skills: off });
  });
  expect(took).toBeLessThan(1000);
  expect(edited).toBe(`${JSON.stringify({ skills: off }, null, 2)}\n`);
});
