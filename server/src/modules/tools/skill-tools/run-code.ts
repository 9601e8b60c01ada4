import { randomInt } from 'node:crypto';
import type { CallReason } from '@knowhow/shared/chat/call-reason';
import { z } from 'zod';
import { getFilesChecksum } from '../../../platform/lib/files-checksum.ts';
import { parseJson } from '../../../platform/lib/parse-json.ts';
import type { SkillTool, VisibleSkill } from '../../skills/index.ts';
import { copyName } from '../copy-name.ts';
import { describeFiles, describeRun } from '../describe-run.ts';
import { missingRequirement } from '../missing-requirement.ts';
import { toOutputFiles } from '../output-files.ts';
import type { JobFile, Runner, ScriptFile, ScriptResult } from '../runner/runner.ts';
import { scriptReceipt } from '../script-receipt.ts';
import { type ToolCall, type ToolResult, toolError } from '../tool.ts';
import {
  type AnswerServices,
  answerCodeRequest,
  type CodeRequest,
  type Reply,
} from './answer-code.ts';
import { answerFile, codeProgram, programFile } from './code-program.ts';
import { truncateMiddle } from './run-flow.ts';

export interface CodeServices extends AnswerServices {
  runner: Runner;
  /** Settings of a skill's tool, entered by an admin. */
  settingsOf(skill: string): Promise<Readonly<Record<string, string>>>;
}

export interface Code {
  skill: VisibleSkill;
  tool: SkillTool;
  /** Inline code, if it is not in a file. */
  code?: string | undefined;
}

/** Maximum reruns to answer the code's requests. */
const maxRounds = 24;

/** Maximum characters of all requests and responses, which are passed again on each rerun. */
const maxReplyCharacters = 8 * 1024 * 1024;

const askedSchema = z.object({
  at: z.number().int().min(0).max(1000),
  key: z.string(),
  kind: z.enum(['fetch', 'page', 'model', 'approval']),
  what: z.unknown(),
});
const answerSchema = z.object({
  said: z.array(z.string().max(500)).max(100),
  asked: z.array(askedSchema).max(100).optional(),
  result: z.string().optional(),
  error: z.string().optional(),
});

interface With {
  means: CodeServices;
  call: ToolCall;
}

/**
 * Runs the code of a skill's tool. Returns its result and a description of its output files for the
 * model.
 */
export async function runCode(code: Code, input: unknown, means: With): Promise<ToolResult> {
  const { result, left } = await runProgram(code, input, means);
  return { ...result, content: withFiles(result.content, left) };
}

/** Appends a description of output files. */
export function withFiles(text: string, left: string): string {
  return [text, left].filter(Boolean).join('\n\n');
}

interface Ran {
  result: ToolResult;
  /** Description of output files for the model; '' if there are none or the content includes it. */
  left: string;
}

/** Runs code in the sandbox, and reruns it until all its requests are answered. */
export async function runProgram(
  { skill, tool, code }: Code,
  input: unknown,
  { means, call }: With,
): Promise<Ran> {
  const missing = missingRequirement(means.runner, 'node');
  if (missing) {
    return refused(missing);
  }
  const files = await call.view.readFiles(skill);
  const checksum = await getFilesChecksum(files);
  if (checksum !== call.consented) {
    return refused('The files of this skill have just changed. Call it again.', 'not allowed');
  }
  call.note(scriptReceipt(skill, { checksum, script: fileOf(tool) }));
  const task = { ...taskOf(tool, input, await means.settingsOf(skill.id)), code };
  const replies: Reply[] = [];
  let reported = 0;
  let remaining = maxReplyCharacters;
  for (let round = 0; round < maxRounds; round += 1) {
    const run = await means.runner.run(jobOf(skill, files, { ...task, replies }), call.signal);
    const answer = answerIn(run);
    if (!answer) {
      const made = run.files.filter(isMade);
      const described = describeRun(fileOf(tool), { ...run, files: made });
      return { result: { ...unanswered(described), files: toOutputFiles(made) }, left: '' };
    }
    for (const text of answer.said.slice(reported)) {
      call.progress(text);
    }
    reported = Math.max(reported, answer.said.length);
    if (!answer.asked) {
      const made = run.files.filter(isMade);
      const result = { ...resultOf(answer, tool), files: toOutputFiles(made) };
      return { result, left: describeFiles({ files: made, leftOut: run.leftOut }) };
    }
    call.progress(`${tool.title ?? tool.name}: ${round + 1}`);
    for (const asked of answer.asked) {
      const response = await answerCodeRequest(asked as CodeRequest, { skill, means, call });
      const reply = { key: asked.key, ...response };
      remaining -= JSON.stringify(reply).length - JSON.stringify(replies[asked.at] ?? '').length;
      if (remaining < 0) {
        return refused(`It asked for more than ${maxReplyCharacters} characters in all.`);
      }
      replies[asked.at] = reply;
    }
  }
  return refused(`It asked for more than ${maxRounds} things one after the other.`);
}

/** A run that exited without a valid answer. */
function unanswered(described: ReturnType<typeof describeRun>): typeof described {
  const content = `It gave no answer that can be read. ${described.content}`;
  return described.isError ? described : { content, isError: true, summary: 'failed' };
}

function refused(text: string, why: CallReason = 'failed'): Ran {
  return { result: toolError(text, why), left: '' };
}

function fileOf({ run }: SkillTool): string {
  switch (run.type) {
    case 'plugin':
      return run.handler;
    case 'script':
      return run.script;
    case 'generated':
      return 'generated';
    default:
      throw new Error(`A tool of the kind ${run.type} has no code.`);
  }
}

function taskOf(tool: SkillTool, input: unknown, entered: Readonly<Record<string, string>>) {
  const { run } = tool;
  const settings = run.type === 'plugin' ? run.settings : [];
  const values = settings.map(({ name, default: standard }) => [
    name,
    Object.hasOwn(entered, name) ? entered[name] : (standard ?? null),
  ]);
  return {
    kind: run.type,
    file: fileOf(tool),
    call: run.type === 'script' ? run.call : undefined,
    context: run.type === 'script' || run.type === 'generated' ? run.context : undefined,
    imports: run.type === 'generated' ? run.imports : undefined,
    input: input ?? {},
    settings: Object.fromEntries(values),
    now: Date.now(),
    seed: randomInt(1, 2 ** 31 - 1),
  };
}

/** Uses its own ID, since it has one file more than the skill. */
function jobOf(skill: VisibleSkill, files: readonly JobFile[], task: unknown) {
  const program = { path: programFile, bytes: Buffer.from(codeProgram) };
  return {
    kind: 'node' as const,
    skill: { id: `${copyName(skill)}.tool`, files: [...files, program] },
    script: programFile,
    args: [],
    files: [{ path: 'task.json', bytes: Buffer.from(JSON.stringify(task)) }],
  };
}

/** Undefined if it did not exit normally. */
function answerIn({ end, files }: ScriptResult): z.infer<typeof answerSchema> | undefined {
  const file = files.find(({ path }) => path === answerFile);
  const isRead = end === 'exit' && file !== undefined;
  return isRead
    ? answerSchema.safeParse(parseJson(Buffer.from(file.bytes).toString('utf8'))).data
    : undefined;
}

function resultOf(
  { result, error }: z.infer<typeof answerSchema>,
  { name, title = name }: SkillTool,
): ToolResult {
  const isError = result === undefined;
  const content = truncateMiddle(result ?? asError(error ?? 'it ended without a result.'));
  return { content, isError, summary: isError ? 'failed' : title };
}

function asError(text: string): string {
  return /^Error: /.test(text) ? text : `Error: ${text}`;
}

/** Excludes files of the wrapper program itself. */
function isMade({ path }: ScriptFile): boolean {
  return path !== answerFile && !/^module-\d+\.mjs$/.test(path);
}
