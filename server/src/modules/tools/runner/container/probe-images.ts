import { getErrorMessage } from '../../../../platform/lib/get-error-message.ts';
import { createProbeJob, runtimesIn } from '../probe-job.ts';
import type { Runtimes, ScriptJob, ScriptKind, ScriptResult } from '../runner.ts';
import { EngineRefusal, EngineUnavailable } from './call-engine.ts';
import type { ScriptImages } from './container-settings.ts';
import type { EngineAbilities } from './container-spec.ts';

export interface TriedImages {
  runtimes: Runtimes;
  abilities: EngineAbilities;
  problems: string[];
  /** Whether another probe would give the same result. */
  isSure: boolean;
}

type RunIn = (image: string, job: ScriptJob, abilities: EngineAbilities) => Promise<ScriptResult>;

/** Verifies inside the container that the engine enforces the requested restrictions. */
const checks = `
fail() { echo "the engine $1" >&2; exit 3; }
[ "$(id -u)" = 65534 ] || fail 'runs it as another user'
grep -q '^CapEff:[[:space:]]*0*$' /proc/self/status || fail 'leaves it capabilities'
grep -q '^NoNewPrivs:[[:space:]]*1' /proc/self/status || fail 'lets it gain privileges'
grep -q '^Seccomp:[[:space:]]*2' /proc/self/status || fail 'does not filter system calls'
grep -q '^[^ ]* / [^ ]* ro[, ]' /proc/mounts || fail 'lets it write to its image'
[ "$(grep -c : /proc/net/dev)" -le 1 ] || fail 'gives it a network'
command -v tar >/dev/null || { echo 'tar is missing' >&2; exit 3; }
`;

const programs: Readonly<Record<ScriptKind, string>> = {
  python: 'python3',
  sh: 'sh',
  node: 'node',
};

/** Probes each image with a script and detects its languages. */
export async function probeImages(
  images: ScriptImages,
  names: readonly string[],
  runIn: RunIn,
): Promise<TriedImages> {
  const runtimes: Partial<Record<ScriptKind, string>> = {};
  const problems: string[] = [];
  let isSure = true;
  let abilities: EngineAbilities = { countsFiles: true, takesFilter: true };
  const attempt = async (image: string): Promise<ScriptResult> => {
    try {
      return await runIn(image, createProbeJob(checks), abilities);
    } catch (error) {
      const fewer = error instanceof EngineRefusal && withoutRefused(abilities, error.message);
      if (!fewer) {
        throw error;
      }
      abilities = fewer;
      return attempt(image);
    }
  };
  for (const image of names) {
    const found = await attempt(image).then(foundIn, toFailure);
    isSure &&= !found.isTransient;
    problems.push(
      ...(found.failure ? [`The image "${image}" cannot be used: ${found.failure}`] : []),
    );
    for (const [kind, name] of Object.entries(images) as [ScriptKind, string][]) {
      const version = found.runtimes?.[kind];
      if (name === image && version !== undefined) {
        runtimes[kind] = version;
      } else if (name === image && found.runtimes) {
        problems.push(`The image "${image}" has no ${programs[kind]}.`);
      }
    }
  }
  return { runtimes, abilities, problems, isSure };
}

/** Disables the feature that the engine's error message names; undefined if it names none. */
function withoutRefused(
  { countsFiles, takesFilter }: EngineAbilities,
  message: string,
): EngineAbilities | undefined {
  if (countsFiles && /nr_inodes/.test(message)) {
    return { countsFiles: false, takesFilter };
  }
  return takesFilter && /seccomp/.test(message) ? { countsFiles, takesFilter: false } : undefined;
}

interface Found {
  runtimes?: Runtimes;
  failure?: string;
  /** Whether the failure may be temporary, e.g. too much load or no disk space. */
  isTransient?: boolean;
}

function foundIn({ end, exitCode, stdout, stderr }: ScriptResult): Found {
  return end === 'exit' && exitCode === 0
    ? { runtimes: runtimesIn(stdout) }
    : {
        failure: `a probe ended with ${exitCode ?? end}: ${stderr.trim().slice(0, 300)}`,
        isTransient: end !== 'exit',
      };
}

function toFailure(error: unknown): Found {
  if (error instanceof EngineUnavailable) {
    throw error;
  }
  const isRefused = error instanceof EngineRefusal && error.status < 500;
  return { failure: getErrorMessage(error), isTransient: !isRefused };
}
