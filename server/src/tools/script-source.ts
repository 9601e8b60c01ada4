import { z } from 'zod';
import { checksumOf } from '../lib/files-checksum.ts';
import { mediaTypeOf } from '../lib/media-type.ts';
import { type Runner, RunnerFailure, type ScriptJob, type ScriptResult } from '../runner/runner.ts';
import { isScript, scriptKindOf } from '../skills/script-path.ts';
import type { VisibleSkill } from '../skills/skill-view.ts';
import { notAvailable } from './activate-skill-tool.ts';
import { describeRun } from './describe-run.ts';
import { refusal, type ToolResult } from './tool.ts';
import type { SourceTool, ToolCall, ToolSource } from './tool-source.ts';

interface Dependencies {
  /** What runs scripts, if anything does. */
  runner: Runner | undefined;
}

const inputSchema = z.object({
  skill_name: z.string().max(300),
  script: z.string().max(1000),
  args: z.array(z.string().max(10_000)).max(100).default([]),
  stdin: z.string().max(1_000_000).optional(),
});
type Input = z.output<typeof inputSchema>;

const parameters = {
  type: 'object',
  properties: {
    skill_name: { type: 'string', description: 'Name of an active skill.' },
    script: {
      type: 'string',
      description: "Path of the script, relative to the skill's base, such as scripts/convert.py.",
    },
    args: {
      type: 'array',
      items: { type: 'string' },
      description: 'Arguments of the command line, each one as it is.',
    },
    stdin: { type: 'string', description: 'What the script reads from its standard input.' },
  },
  required: ['skill_name', 'script'],
  additionalProperties: false,
};

const progressMs = 10_000;

/** `run_skill_script`: runs a script of an active skill, if the platform, the skill and a runner allow it. */
export function createScriptSource({ runner }: Dependencies): ToolSource {
  const tools: readonly SourceTool[] = runner ? [scriptTool(runner)] : [];
  return {
    id: 'scripts',
    title: 'Scripts',
    kind: 'scripts',
    list: async ({ view }) => (view.skills.some(({ allowsScripts }) => allowsScripts) ? tools : []),
    listAll: async () => tools,
    state: () => {
      if (!runner) {
        return { status: 'idle', message: 'Nothing runs scripts: SCRIPT_RUNNER.' };
      }
      return runner.status === 'ready'
        ? { status: 'ready' }
        : { status: 'connecting', message: 'The runner does not answer.' };
    },
  };
}

function scriptTool(runner: Runner): SourceTool {
  return {
    name: 'run_skill_script',
    title: 'Run a script',
    description:
      'Runs a script of an active skill (a file in its scripts/ folder: .py, .sh or .js) where it reaches neither the network nor other files: the files of the skill are in /skill, and what it leaves in its working folder is given to the user. Gives its exit code and what it has written.',
    parameters,
    hints: { readOnly: false, destructive: false, openWorld: false },
    consent: 'ask',
    consentFor: async (input, call) => {
      const parsed = inputSchema.safeParse(input);
      const asked = parsed.success && findScript(parsed.data, call);
      if (!asked || 'refused' in asked) {
        return undefined;
      }
      const { skill, path } = asked;
      const files = await call.view.readFiles(skill);
      if (!isScript(path) || !files.some((file) => file.path === path)) {
        return undefined;
      }
      const digest = checksumOf(files);
      return {
        id: `scripts/${skill.id}`,
        digest,
        isApproved: skill.approvedScripts === digest,
      };
    },
    run: async (input, call) => runFor(inputSchema.parse(input), call, runner),
  };
}

interface Found {
  skill: VisibleSkill;
  /** Relative to the skill's folder. */
  path: string;
}

/** The script that is meant, or why it cannot be run. */
function findScript(
  { skill_name: name, script }: Input,
  { view, active }: Pick<ToolCall, 'view' | 'active'>,
): Found | { refused: ToolResult } {
  const skill = view.find(name);
  if (!skill || !(skill.modelInvocable || active.includes(skill.id))) {
    return { refused: notAvailable(name, view) };
  }
  const { id } = skill;
  if (!active.includes(id)) {
    const next = 'Call activate_skill with its name first.';
    return { refused: refusal(`Skill "${id}" is not active. ${next}`, 'not active', [id]) };
  }
  if (!skill.allowsScripts) {
    const why = 'An administrator does not allow the scripts of this skill to be run.';
    const next = 'Go on without them, and tell the user what you would have run.';
    return { refused: refusal(`${why} ${next}`, 'not allowed', [id]) };
  }
  return { skill, path: script.replace(/^(?:\.\/|\/skill\/)+/, '') };
}

async function runFor(input: Input, call: ToolCall, runner: Runner): Promise<ToolResult> {
  const found = findScript(input, call);
  if ('refused' in found) {
    return found.refused;
  }
  const { skill, path } = found;
  const files = await call.view.readFiles(skill);
  const checksum = checksumOf(files);
  const kind = scriptKindOf(path);
  if (!kind || !files.some((file) => file.path === path)) {
    const scripts = files.map((file) => file.path).filter(isScript);
    return refusal(
      `There is no script "${input.script}" in skill "${skill.id}". Its scripts: ${scripts.join(', ') || 'none'}.`,
      'no such file',
      [skill.id],
    );
  }
  if (checksum !== call.consented) {
    return refusal(
      `The files of skill "${skill.id}" have just changed. Call it again.`,
      'not allowed',
      [skill.id],
    );
  }
  const job = { kind, skill: { id: skill.id, files }, script: path, ...jobOf(input) };
  const receipt = { skill: skill.id, source: skill.source, checksum, script: path };
  const lacking = lackOf(runner, kind);
  if (lacking) {
    return { ...refusal(lacking, 'failed', [skill.id]), receipt: { ...receipt, ended: 'not run' } };
  }
  const result = await runWithProgress(runner, job, call);
  if (result instanceof RunnerFailure) {
    const text = `The script could not be run: ${result.message}`;
    return { ...refusal(text, 'failed', [skill.id]), receipt: { ...receipt, ended: 'not run' } };
  }
  return {
    ...describeRun(path, result),
    files: result.files.map(({ path: name, bytes }) => ({
      name,
      type: mediaTypeOf(name, bytes.subarray(0, 4096)).type,
      bytes,
    })),
    receipt: { ...receipt, ended: result.end, exitCode: result.exitCode ?? -1 },
    skills: [skill.id],
  };
}

function jobOf({ args, stdin }: Input): Pick<ScriptJob, 'args' | 'stdin'> {
  return { args, ...(stdin === undefined ? {} : { stdin }) };
}

const languages = { python: 'Python', sh: 'a shell', node: 'Node.js' };

function lackOf({ status, runtimes }: Runner, kind: ScriptJob['kind']): string | undefined {
  if (status === 'away' || runtimes[kind] !== undefined) {
    return undefined;
  }
  return `The script needs ${languages[kind]}, which is not there where scripts are run. Go on without it, and tell the user.`;
}

/** Says that it goes on, so that nobody takes it for dead. */
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
