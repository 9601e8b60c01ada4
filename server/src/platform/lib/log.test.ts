import { expect, test } from 'vitest';
import { createLog, prettyDestination } from './log.ts';

test('logs an error with its message and code, and only the code of its cause', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const cause = Object.assign(new Error('The key sk-123 is wrong.'), { code: 'ENOSPC' });
  const error = Object.assign(new Error('No answer.', { cause }), { code: 'model-failed' });
  log.error({ error }, 'it failed');
  const [line = ''] = lines;
  expect(JSON.parse(line)).toMatchObject({
    level: 50,
    msg: 'it failed',
    error: { message: 'No answer.', code: 'model-failed', cause: 'ENOSPC' },
  });
  expect(JSON.parse(line).error.stack).toContain('log.test.ts');
  expect(line).not.toContain('sk-123');
});

test('prints time, level, message and fields on one line for a terminal', () => {
  const written: string[] = [];
  const log = createLog(
    'info',
    prettyDestination({ write: (text) => written.push(`${text}`) > 0 }),
  );
  log.warn({ status: 404, route: '/api/apps/:id', name: 'two words' }, 'request');
  expect(written.join('')).toMatch(
    /^\d\d:\d\d:\d\d warn request status=404 route=\/api\/apps\/:id name="two words"\n$/,
  );
});
