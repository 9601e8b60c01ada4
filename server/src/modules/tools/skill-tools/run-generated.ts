import { getFilesChecksum } from '../../../platform/lib/files-checksum.ts';
import { parseJson } from '../../../platform/lib/parse-json.ts';
import type { SkillTool } from '../../skills/index.ts';
import { codeConsent } from '../code-consent.ts';
import { missingRequirement } from '../missing-requirement.ts';
import { type Sampling, type ToolCall, type ToolResult, toolError } from '../tool.ts';
import { type Code, type CodeServices, runProgram, withFiles } from './run-code.ts';
import { truncateMiddle } from './run-flow.ts';

/** Maximum characters of code: users would not review more before allowing it. */
const maxCodeLength = 20_000;

/**
 * Has the turn's model write code for a call, shows it to the user, and runs it in the sandbox with
 * consent. An answer without code is the result itself. Consent covers exactly this code with this
 * skill; an approval of the skill's files does not apply.
 */
export async function runGenerated(
  { skill, tool }: Code,
  input: unknown,
  { means, call }: { means: CodeServices; call: ToolCall },
): Promise<ToolResult> {
  const { title = tool.name } = tool;
  if (!call.model) {
    return toolError('No model can write code in this conversation. Do it yourself.', 'failed');
  }
  const missing = missingRequirement(means.runner, 'node');
  if (missing) {
    return toolError(missing, 'failed', [skill.id]);
  }
  call.progress(title);
  const files = await call.view.readFiles(skill);
  const instructions = await call.view.readBody(skill);
  const answer = await call.model(promptFor(tool, instructions, input), samplingOf(tool));
  const code = codeInAnswer(answer);
  if (code === undefined) {
    return { content: truncateMiddle(answer), isError: false, summary: title, skills: [skill.id] };
  }
  if (code === '' || code.length > maxCodeLength) {
    const text = `The code of the model is incomplete, or has more than ${maxCodeLength} characters. Do it without code.`;
    return toolError(text, 'failed', [skill.id]);
  }
  const written = { path: 'generated.js', executable: false, bytes: Buffer.from(code) };
  const subject = { ...(await codeConsent(skill, [...files, written])), isApproved: false };
  if (!(await call.allow({ shown: { code, input }, subject }))) {
    const text = 'The user did not allow the code that was written for it. Continue without it.';
    return toolError(text, 'not allowed', [skill.id]);
  }
  call.note({ code: subject.digest });
  const consented = await getFilesChecksum(files);
  const own = { ...call, consented };
  const { result, left } = await runProgram({ skill, tool, code }, input, { means, call: own });
  const { isError, content } = result;
  const outcome = isError ? { error: content } : { output: parseJson(content) ?? content };
  const text = truncateMiddle(JSON.stringify({ success: !isError, ...outcome, code }));
  return { ...result, content: withFiles(text, left) };
}

function samplingOf({ run }: SkillTool): Sampling {
  return run.type === 'generated' ? run : {};
}

/** Maximum characters of the context in the prompt; the code gets all of it. */
const maxShown = 8000;

/** Describes the variables in the scope of the code. */
function describeScope({ run }: SkillTool): string {
  const { imports = [], context = {} } = run.type === 'generated' ? run : {};
  const modules = imports.map(({ module, name, as }) =>
    name === undefined ? `\`${as}\` (${module})` : `\`${as}\` (${name} of ${module})`,
  );
  const values = JSON.stringify(context, null, 2);
  return [
    ...(modules.length > 0 ? [`These modules are imported already: ${modules.join(', ')}.`] : []),
    ...(values === '{}'
      ? []
      : [`These variables have their values already:\n\n${values.slice(0, maxShown)}`]),
  ].join('\n\n');
}

function promptFor(tool: SkillTool, instructions: string, input: unknown): string {
  const scope = describeScope(tool);
  return `${instructions}

# Input

${JSON.stringify(input ?? {}, null, 2)}
${scope && `\n# Scope\n\n${scope}\n`}
# Answer

Write JavaScript for Node.js that does this for the input, in one code block and without explanations. It is the
body of an async function: the input is in the variable \`input\`, and what it works out is given with \`return\`.
\`await executePrompt(text)\` asks a language model. There are no packages and no network, only
what Node.js has itself. Where no code is needed, or these instructions ask for a text, answer with that alone.`;
}

/**
 * Extracts the code from a model's answer: the first block marked as JavaScript, otherwise the
 * first unmarked block. '' for a truncated block, undefined without blocks.
 */
function codeInAnswer(answer: string): string | undefined {
  const blocks = blocksIn(answer.split(/\r?\n/));
  return (
    blocks.find(({ language }) => languages.includes(language)) ??
    blocks.find(({ language }) => language === '')
  )?.code;
}

const languages: readonly string[] = ['js', 'javascript', 'mjs', 'node'];

interface Block {
  /** Lowercase; '' if not specified. */
  language: string;
  code: string;
}

function blocksIn(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let open: { fence: string; language: string; lines: string[] } | undefined;
  for (const line of lines) {
    const [, fence, said = ''] = /^ {0,3}(`{3,})([^`]*)$/.exec(line) ?? [];
    if (!open && fence !== undefined) {
      const [language = ''] = said.trim().toLowerCase().split(/\s/);
      open = { fence, language, lines: [] };
    } else if (open && fence?.startsWith(open.fence) && said.trim() === '') {
      blocks.push({ language: open.language, code: open.lines.join('\n').trim() });
      open = undefined;
    } else {
      open?.lines.push(line);
    }
  }
  return open ? [...blocks, { language: open.language, code: '' }] : blocks;
}
