import { describe, expect, it } from 'vitest';
import {
  type Drafts,
  rebaseDrafts,
  withDraft,
  withMovedDraft,
  withoutDraft,
} from './file-drafts.ts';

const draft = (text: string, checksum = 'one') => ({ base: 'as it was', text, checksum });
const drafts: Drafts = { 'SKILL.md': draft('new'), 'a/b.md': draft('other', 'two') };

describe('drafts', () => {
  it("keep a file from its first change until it equals the server's version", () => {
    const begun = withDraft({}, 'SKILL.md', draft('as it was!'));
    expect(Object.keys(begun)).toEqual(['SKILL.md']);
    expect(withDraft(begun, 'SKILL.md', draft('as it was'))).toEqual({});
  });

  it('remove one file and keep the others', () => {
    expect(withoutDraft(drafts, 'SKILL.md')).toEqual({ 'a/b.md': drafts['a/b.md'] });
  });

  it('follow a moved file, and nothing else', () => {
    expect(withMovedDraft(drafts, 'a/b.md', 'c.md')).toEqual({
      'SKILL.md': drafts['SKILL.md'],
      'c.md': drafts['a/b.md'],
    });
    expect(withMovedDraft(drafts, 'x.md', 'c.md')).toBe(drafts);
  });

  it('are rebased after our own write only if they were based on the version before it', () => {
    const after = rebaseDrafts(drafts, 'one', 'three');
    expect(after['SKILL.md']?.checksum).toBe('three');
    expect(after['a/b.md']?.checksum).toBe('two');
  });
});
