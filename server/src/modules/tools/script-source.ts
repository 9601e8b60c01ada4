import { z } from 'zod';
import { getFilesChecksum } from '../../platform/lib/files-checksum.ts';
import { findTexts } from '../../platform/lib/locales.ts';
import { memoizeByObject } from '../../platform/lib/memoize-by-object.ts';
import type { ConversationFiles } from '../conversations/index.ts';
import type { VisibleSkill } from '../skills/index.ts';
import { notAvailable } from './activate-skill-tool.ts';
import { builtinTool } from './builtin/builtin-tool.ts';
import { codeLimits } from './call-clock.ts';
import { codeConsent } from './code-consent.ts';
import { copyName } from './copy-name.ts';
import { describeRun } from './describe-run.ts';
import { missingRequirement } from './missing-requirement.ts';
import { toOutputFiles } from './output-files.ts';
import {
  type JobFile,
  type Runner,
  RunnerFailure,
  type ScriptJob,
  type ScriptResult,
} from './runner/runner.ts';
import { isScript, scriptKindOf } from './script-path.ts';
import { scriptReceipt } from './script-receipt.ts';
import { type Tool, type ToolCall, type ToolResult, toolError } from './tool.ts';
import type { ToolSource } from './tool-source.ts';

interface Dependencies {
  /** The script runner, if configured. */
  runner: Runner | undefined;
  files: Pick<ConversationFiles, 'find'>;
}

const inputSchema = z.object({
  skill_name: z.string().max(300),
  script: z.string().max(1000),
  args: z.array(z.string().max(10_000)).max(100).default([]),
  stdin: z.string().max(1_000_000).optional(),
  files: z.array(z.string().max(300)).max(32).default([]),
});
type Input = z.output<typeof inputSchema>;

/** The title of the source. */
export const scriptsTitle = {
  title: findTexts('en').toolSources.scripts,
  titleKey: 'scripts',
} as const;

/**
 * `run_skill_script`: runs a script of an active skill, if the platform, the skill and a runner
 * allow it.
 */
export function createScriptSource({ runner, files }: Dependencies): ToolSource {
  const tools: readonly Tool[] = runner ? [scriptTool(runner, files)] : [];
  return {
    id: 'scripts',
    ...scriptsTitle,
    kind: 'scripts',
    list: async ({ view }) => (allowScripts(view.skills) ? tools : []),
    listAll: async () => tools,
    state: () => {
      if (!runner) {
        return { status: 'idle', message: 'No script runner is configured. Set SCRIPT_RUNNER.' };
      }
      return runner.status === 'ready'
        ? { status: 'ready' }
        : { status: 'connecting', message: 'The runner does not answer.' };
    },
  };
}

/** Memoized, because a turn would look at thousands of skills. */
const allowScripts = memoizeByObject((skills: readonly VisibleSkill[]) =>
  skills.some(({ allowsScripts }) => allowsScripts),
);

function scriptTool(runner: Runner, conversationFiles: Dependencies['files']): Tool {
  return builtinTool({
    name: 'run_skill_script',
    arguments: inputSchema,
    parameters: {
      type: 'object',
      properties: {
        skill_name: { type: 'string' },
        script: { type: 'string' },
        args: { type: 'array', items: { type: 'string' } },
        stdin: { type: 'string' },
        files: { type: 'array', items: { type: 'string' } },
      },
      required: ['skill_name', 'script'],
      additionalProperties: false,
    },
    hints: { readOnly: false, destructive: false, openWorld: false },
    consent: 'ask',
    limits: codeLimits,
    consentFor: async (input, call) => {
      const parsed = inputSchema.safeParse(input);
      const asked = parsed.success && findScript(parsed.data, call);
      if (!asked || 'refused' in asked) {
        return undefined;
      }
      const { skill, path } = asked;
      const files = await call.view.readFiles(skill);
      const isThere = isScript(path) && files.some((file) => file.path === path);
      return isThere ? codeConsent(skill, files) : undefined;
    },
    run: (input, call) => runFor(input, call, { runner, conversationFiles }),
  });
}

interface Found {
  skill: VisibleSkill;
  /** Relative to the skill's folder. */
  path: string;
}

/** Finds the requested script, or the reason why it cannot run. */
function findScript(
  { skill_name: name, script }: Input,
  { view, active }: Pick<ToolCall, 'view' | 'active'>,
): Found | { refused: ToolResult } {
  const skill = view.find(name);
  if (!skill || !(skill.modelInvocable || active.has(skill.id))) {
    return { refused: notAvailable(name, view) };
  }
  const { id } = skill;
  if (!active.has(id)) {
    const next = 'Call activate_skill with its name first.';
    return { refused: toolError(`Skill "${id}" is not active. ${next}`, 'not active', [id]) };
  }
  if (!skill.allowsScripts) {
    const why = 'An administrator does not allow the scripts of this skill to be run.';
    const next = 'Continue without them, and tell the user what you would have run.';
    return { refused: toolError(`${why} ${next}`, 'not allowed', [id]) };
  }
  return { skill, path: script.replace(/^(?:\.\/|\/skill\/)+/, '') };
}

interface Means {
  runner: Runner;
  conversationFiles: Dependencies['files'];
}

async function runFor(input: Input, call: ToolCall, means: Means): Promise<ToolResult> {
  const found = findScript(input, call);
  if ('refused' in found) {
    return found.refused;
  }
  const { skill, path } = found;
  const files = await call.view.readFiles(skill);
  const checksum = await getFilesChecksum(files);
  const kind = scriptKindOf(path);
  if (!kind || !files.some((file) => file.path === path)) {
    const scripts = files.map((file) => file.path).filter(isScript);
    return toolError(
      `There is no script "${input.script}" in skill "${skill.id}". Its scripts: ${scripts.join(', ') || 'none'}.`,
      'no such file',
      [skill.id],
    );
  }
  if (checksum !== call.consented) {
    return toolError(
      `The files of skill "${skill.id}" have just changed. Call it again.`,
      'not allowed',
      [skill.id],
    );
  }
  const given = await filesNamed(input.files, call, means.conversationFiles);
  if (typeof given === 'string') {
    return toolError(given, 'no such file', [skill.id]);
  }
  const { args, stdin } = input;
  const job = {
    kind,
    script: path,
    args,
    files: given,
    skill: { id: copyName(skill), files },
    ...(stdin === undefined ? {} : { stdin }),
  };
  return runScript(job, { call, runner: means.runner, skill, checksum });
}

/** The conversation files passed to a script, or a message about unknown names. */
async function filesNamed(
  names: readonly string[],
  { conversationId }: ToolCall,
  conversationFiles: Dependencies['files'],
): Promise<JobFile[] | string> {
  const found: JobFile[] = [];
  for (const name of new Set(names.map((each) => each.replace(/^in\//, '')))) {
    const file = await conversationFiles.find(conversationId, name);
    if (!file) {
      return `There is no file "${name}" in this conversation: it takes names of files that the user has attached or tools have made in it.`;
    }
    found.push({ path: name, bytes: file.bytes });
  }
  return found;
}

const progressMs = 10_000;

interface Run {
  call: ToolCall;
  runner: Runner;
  skill: VisibleSkill;
  /** Checksum of the skill's files. */
  checksum: string;
}

/**
 * Runs a script with its user's consent. Returns the result for the model and records a receipt for
 * the audit log.
 */
async function runScript(
  job: ScriptJob,
  { call, runner, skill, checksum }: Run,
): Promise<ToolResult> {
  const { kind, script: path } = job;
  call.note(scriptReceipt(skill, { checksum, script: path }));
  const lacking = missingRequirement(runner, kind);
  if (lacking) {
    call.note({ ended: 'not run' });
    return toolError(lacking, 'failed', [skill.id]);
  }
  const result = await runWithProgress(runner, job, call);
  if (result instanceof RunnerFailure) {
    const text = `The script could not be run: ${result.message}`;
    call.note({ ended: 'not run' });
    return toolError(text, 'failed', [skill.id]);
  }
  call.note({ ended: result.end, exitCode: result.exitCode ?? -1 });
  return {
    ...describeRun(path, result),
    files: toOutputFiles(result.files),
    skills: [skill.id],
  };
}

/** Reports progress periodically, so that the call does not appear stuck. */
async function runWithProgress(
  runner: Runner,
  job: ScriptJob,
  { signal, progress }: ToolCall,
): Promise<ScriptResult | RunnerFailure> {
  let seconds = 0;
  progress(job.script);
  const timer = setInterval(() => {
    seconds += progressMs / 1000;
    progress(`${job.script}: ${seconds} s`);
  }, progressMs);
  try {
    return await runner.run(job, signal);
  } catch (error) {
    if (error instanceof RunnerFailure) {
      return error;
    }
    throw error;
  } finally {
    clearInterval(timer);
  }
}
