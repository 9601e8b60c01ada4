import { z } from 'zod';
import {
  defaultEngine,
  defaultImages,
  type EngineAddress,
  parseEngineAddress,
  parseImages,
  type ScriptImages,
} from './container/container-settings.ts';

/** What the environment wants: `auto` is the best that works here, but never `container`. */
const wantedRunners = ['off', 'auto', 'bubblewrap', 'container', 'remote'] as const;

/** How scripts are run. */
export interface RunnerSettings {
  wanted: (typeof wantedRunners)[number];
  /** A runner of ours elsewhere. */
  remote: { url: string; token: string } | undefined;
  /** Also of a runner that is served here. */
  token: string | undefined;
  /** An engine that makes a container for each script, where that is wanted. */
  container: { engine: EngineAddress; images: ScriptImages } | undefined;
  /** Whether it gets the skills as soon as they change, and not only when one is needed. */
  copiesAtOnce: boolean;
}

const leastToken = 16;

/** The variables of the environment that say it. */
export const runnerVariables = {
  SCRIPT_RUNNER: z
    .enum(wantedRunners)
    .default('off')
    .describe(`one of ${wantedRunners.join(', ')}`),
  SCRIPT_RUNNER_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('the http or https address of a runner; SCRIPT_RUNNER_TOKEN goes with it'),
  SCRIPT_RUNNER_TOKEN: z
    .string()
    .min(leastToken)
    .optional()
    .describe(`at least ${leastToken} characters`),
  SCRIPT_RUNNER_COPIES: z
    .enum(['when-needed', 'at-once'])
    .default('when-needed')
    .describe('when-needed or at-once'),
  SCRIPT_IMAGES: z
    .string()
    .default(defaultImages)
    .transform(parseImages)
    .refine((images): images is ScriptImages => images !== undefined)
    .describe('the name of an image, or "python=…,sh=…,node=…"'),
  // Others set it for themselves, in ways that are no business of ours unless containers are wanted.
  DOCKER_HOST: z
    .string()
    .default(defaultEngine)
    .describe('unix:///path/of/a/socket or tcp://host:port, for SCRIPT_RUNNER=container'),
};

type Variables = z.output<z.ZodObject<typeof runnerVariables>>;

export function readRunnerSettings(variables: Variables): RunnerSettings {
  const { SCRIPT_RUNNER_URL: url, SCRIPT_RUNNER_TOKEN: token } = variables;
  const engine = parseEngineAddress(variables.DOCKER_HOST);
  const isContainer = variables.SCRIPT_RUNNER === 'container' && engine !== undefined;
  return {
    wanted: variables.SCRIPT_RUNNER,
    remote: url && token ? { url: url.replace(/\/+$/, ''), token } : undefined,
    token,
    container: isContainer ? { engine, images: variables.SCRIPT_IMAGES } : undefined,
    copiesAtOnce: variables.SCRIPT_RUNNER_COPIES === 'at-once',
  };
}

/** The variable that another one needs and that is not set, or not to what it needs. */
export function missingRunnerVariable(variables: Variables): keyof Variables | undefined {
  const { SCRIPT_RUNNER: wanted, SCRIPT_RUNNER_URL: url, SCRIPT_RUNNER_TOKEN: token } = variables;
  if (wanted === 'remote' && url === undefined) {
    return 'SCRIPT_RUNNER_URL';
  }
  if (wanted === 'container' && !parseEngineAddress(variables.DOCKER_HOST)) {
    return 'DOCKER_HOST';
  }
  return url !== undefined && token === undefined ? 'SCRIPT_RUNNER_TOKEN' : undefined;
}
