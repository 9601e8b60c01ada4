import type { VisibleSkill } from '../skills/index.ts';
import { describeRun } from './describe-run.ts';
import { missingRequirement } from './missing-requirement.ts';
import { toOutputFiles } from './output-files.ts';
import { type Runner, RunnerFailure, type ScriptJob, type ScriptResult } from './runner/runner.ts';
import { scriptReceipt } from './script-receipt.ts';
import { type ToolCall, type ToolResult, toolError } from './tool.ts';

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
export async function runScript(
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
