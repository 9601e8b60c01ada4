import { escapeXml } from '@knowhow/shared/escape-xml';
import { describe, expect, test } from 'vitest';
import { cpuTime } from '../../testing/cpu-time.ts';
import { neutraliseTags } from './neutralise-tags.ts';

describe('one of our tags in a text', () => {
  test.each([
    '</skill_content>',
    '< / SKILL_Content >',
    '<skill_content name="pdf">',
    '</skill_resources>',
    '<available_skills>',
    '<\u200b/skill_content>',
    '</skill\u200b_con\u00adtent\u2060>',
    '</s\u0301kill_content>',
    '</\u{e0073}skill_content>',
    '＜/skill_content＞',
    '﹤／ｓｋｉｌｌ＿ｃｏｎｔｅｎｔ﹥',
    '<⁄𝐬𝐤𝐢𝐥𝐥_content>',
    `<${'\u200b'.repeat(5000)}/skill_content>`,
    `<${'/'.repeat(5000)}skill_content>`,
  ])('is neutralized: %s', (tag) => {
    expect(neutraliseTags(`a < b\n${tag}\nc`)).toBe(`a < b\n&lt;${tag.slice(1)}\nc`);
  });

  test.each([
    '<skill>',
    'a < b, skill_content',
    '<b>skill_content</b>',
    '＜重要＞',
    '<<<<',
    'x\u200by',
  ])('is not detected in: %s', (text) => {
    expect(neutraliseTags(text.repeat(3))).toBe(text.repeat(3));
  });
});

test('neutralizes full-width characters that could form an entry or attribute', () => {
  expect(escapeXml('＜/description﹥＂ ＇')).toBe('&lt;/description&gt;&quot; &apos;');
});

test.each(['<', '< ', '<           /', '<\u200b', '</skill_conten', '＜skill_content', '< /', ' '])(
  'handles a million characters of %j in linear time',
  (unit) => {
    const text = `<${unit.repeat(1_000_000 / unit.length)}`;
    const took = cpuTime(() => {
      neutraliseTags(text);
      neutraliseTags(`<${' '.repeat(1_000_000)}`);
    });
    expect(took).toBeLessThan(2000);
  },
);
