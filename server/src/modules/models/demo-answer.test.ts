import { describe, expect, it } from 'vitest';
import { demoTexts } from './demo-answer.ts';

const quoteOf = (body: string) => demoTexts('en').quote([{ name: 'x', body, resources: [] }]);

describe('the quoted steps of a skill', () => {
  it('are its numbered list, at most eight, without code blocks', () => {
    const list = Array.from({ length: 12 }, (_, index) => `${index + 1}. Step ${index + 1}`);
    const quote = quoteOf(
      `# Title\n\n\`\`\`\n1. not this\n2. nor this\n\`\`\`\n\n${list.join('\n')}`,
    );
    expect(quote).toContain('1. Step 1\n');
    expect(quote).toContain('8. Step 8');
    expect(quote).not.toMatch(/Step 9|not this/);
  });

  it('are its headings if it has no numbered list', () => {
    expect(quoteOf('# Title\n\n## 1. Gather\n\nText.\n\n## 2. Write\n\nText.')).toContain(
      '1. Gather\n2. Write',
    );
  });

  it('are its bullets if it has no headings', () => {
    expect(quoteOf('Do:\n\n- one\n- two')).toContain('1. one\n2. two');
  });

  it('are its first paragraph if it has no lists', () => {
    expect(quoteOf('# Title\n\nWrite\nshortly.\n\nMore.')).toContain('> Write shortly.');
  });
});
