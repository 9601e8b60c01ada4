import { toOutputFiles } from './output-files.ts';
import type { RunEnd, ScriptResult } from './runner/runner.ts';
import type { ToolResult } from './tool.ts';

const ends: Readonly<Record<Exclude<RunEnd, 'exit'>, string>> = {
  time: 'It took too long and was ended.',
  memory: 'It took too much memory and was ended.',
  output: 'It wrote too much and was ended.',
  stopped: 'It was stopped.',
};

/** A run's result for the model, and its summary for the chat. */
export function describeRun(
  script: string,
  result: ScriptResult,
): Pick<ToolResult, 'content' | 'isError' | 'summary'> {
  const { end, exitCode, signal, stdout, stderr } = result;
  const ended =
    end === 'exit' ? `Exit code ${exitCode}${signal ? ` (${signal})` : ''}.` : ends[end];
  const content = [
    ended,
    section('stdout', stdout),
    section('stderr', stderr),
    describeFiles(result),
  ];
  const isError = end !== 'exit' || exitCode !== 0;
  const summary = end === 'time' ? 'took too long' : isError ? 'failed' : script;
  return { content: content.filter(Boolean).join('\n\n'), isError, summary };
}

/** The output files of a run for the model; '' if there are none. */
export function describeFiles({ files, leftOut }: Pick<ScriptResult, 'files' | 'leftOut'>): string {
  const made = toOutputFiles(files).map(({ name, bytes, type }) =>
    JSON.stringify({ name, size: bytes.length, type }),
  );
  const content = [
    made.length > 0 && `Files it made, which the user gets:\n${made.join('\n')}`,
    leftOut.length > 0 &&
      `Files that were not taken: ${leftOut.map(({ path, why }) => `${path} (${reasons[why]})`).join(', ')}`,
  ];
  return content.filter(Boolean).join('\n\n');
}

const reasons: Readonly<Record<ScriptResult['leftOut'][number]['why'], string>> = {
  name: 'its name',
  kind: 'no plain file',
  'too large': 'too large',
  'too many': 'too much in all',
};

/** Strips escape sequences and control characters. */
function section(name: string, text: string): string | false {
  const plain = text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to strip
    .replace(/\u001b\[[0-9;?]*[A-Za-z]|[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
    .trimEnd();
  return plain !== '' && `${name}:\n${plain}`;
}
