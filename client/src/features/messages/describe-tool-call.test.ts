import type { ToolCall } from '@knowhow/shared/chat/conversations';
import { describe, expect, it } from 'vitest';
import { describeToolCall, filesRead, shownToolCalls } from './describe-tool-call.ts';

const call = (name: string, input: unknown, fields: Partial<ToolCall> = {}): ToolCall => ({
  id: name,
  name,
  input,
  error: false,
  summary: '',
  ...fields,
});
const reads = (file: string, fields?: Partial<ToolCall>) =>
  call('read_skill_resource', { skill_name: 'pdf', file_path: file }, fields);
const activates = (skill: string, fields?: Partial<ToolCall>) =>
  call('activate_skill', { skill_name: skill }, fields);
const pdf = { name: 'pdf', description: '', via: 'model', tokens: 1, checksum: '' } as const;

describe('describeToolCall', () => {
  it('recognises the two tools of skills', () => {
    expect(describeToolCall(reads('a.md'))).toEqual({ kind: 'read', skill: 'pdf', file: 'a.md' });
    expect(describeToolCall(activates('pdf'))).toEqual({ kind: 'activate', skill: 'pdf' });
  });

  it.each([undefined, null, 'garbage', {}, { skill_name: 7 }])(
    'treats %j as any other tool',
    (input) => {
      expect(describeToolCall(call('activate_skill', input))).toEqual({
        kind: 'other',
        tool: 'activate_skill',
      });
    },
  );
});

describe('filesRead', () => {
  it('names each file once, without unreadable ones', () => {
    const calls = [reads('a.md'), reads('b.md', { error: true }), reads('a.md'), activates('pdf')];
    expect(filesRead(calls, 'pdf')).toEqual(['a.md']);
    expect(filesRead(calls, 'other')).toEqual([]);
    const written = call('read_skill_resource', { skill_name: 'Pdf', file_path: 'c.md' });
    expect(filesRead([written], 'pdf')).toEqual(['c.md']);
  });
});

describe('shownToolCalls', () => {
  const numbered = (calls: ToolCall[]) => calls.map((each, number) => ({ call: each, number }));

  it('hides an activation that has a card, or may still get one', () => {
    expect(shownToolCalls([activates('pdf', { summary: 'pdf' })], [pdf])).toEqual([]);
    expect(shownToolCalls([activates('pdf')], [])).toEqual([]);
    const written = [{ skill_name: 'PDF' }, { name: 'pdf' }];
    const calls = written.map((input) => call('activate_skill', input, { summary: 'pdf' }));
    expect(shownToolCalls(calls, [pdf])).toEqual([]);
  });

  it('shows an activation that failed or changed nothing', () => {
    const calls = [
      activates('pdf', { summary: 'already active' }),
      activates('x', { error: true, summary: 'not available' }),
    ];
    expect(shownToolCalls(calls, [])).toEqual(numbered(calls));
  });

  it('shows every other call', () => {
    const calls = [reads('a.md'), call('search', {})];
    expect(shownToolCalls(calls, [pdf])).toEqual(numbered(calls));
  });
});
