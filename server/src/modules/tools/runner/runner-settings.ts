import { z } from 'zod';
import {
  defaultEngine,
  defaultImages,
  type EngineAddress,
  parseEngineAddress,
  parseImages,
  type ScriptImages,
} from './container/container-settings.ts';

/**
 * Values of the environment variable. `auto` picks the best that works here, but never `container`.
 */
const wantedRunners = ['off', 'auto', 'bubblewrap', 'container', 'remote'] as const;

export interface RunnerSettings {
  wanted: (typeof wantedRunners)[number];
  /** A remote Knowhow runner. */
  remote: { url: string; token: string } | undefined;
  /** Also the token of a runner served by this process. */
  token: string | undefined;
  /** An engine that creates a container for each script, if configured. */
  container: { engine: EngineAddress; images: ScriptImages } | undefined;
  /** Whether skills are uploaded as soon as they change, rather than on demand. */
  copiesAtOnce: boolean;
}

const minTokenLength = 16;

export const runnerVariables = {
  SCRIPT_RUNNER: z
    .enum(wantedRunners)
    .default('off')
    .describe(`one of ${wantedRunners.join(', ')}`),
  SCRIPT_RUNNER_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('the http or https address of a runner; requires SCRIPT_RUNNER_TOKEN'),
  SCRIPT_RUNNER_TOKEN: z
    .string()
    .min(minTokenLength)
    .optional()
    .describe(`at least ${minTokenLength} characters`),
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
  // DOCKER_HOST may be set for other programs, so it is only validated if containers are used.
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

/** A variable that another one requires and that is missing or invalid. */
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
