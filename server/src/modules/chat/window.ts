import type { AppConfig } from '@knowhow/shared/config/app-config';
import { defaultContextWindow, type ModelConfig } from '@knowhow/shared/config/models';

/** Token budgets within a model's context window, by our estimate. */
export interface Window {
  /** Budget of a request. */
  request: number;
  /** Reserved for the answer, in the provider's tokens. */
  answer: number;
  /** Maximum length of a skill text that is sent whole. */
  skill: number;
  /** Budget of all active skills' texts once the turns that activated them are dropped. */
  skills: number;
}

/** Safety margin: the estimate of a request may be this much too low. */
const tolerance = 0.9;
/** Default limit for vendors that require one with each request. */
const defaultMaxOutput = 16_384;

/** @param correction provider tokens per estimated token */
export function allocateWindow(
  { contextWindow = defaultContextWindow, maxOutputTokens }: ModelConfig,
  { tokenLimit }: AppConfig,
  correction = 1,
): Window {
  const estimated = contextWindow / correction;
  const wanted = Math.min(tokenLimit ?? contextWindow / 4, maxOutputTokens ?? contextWindow / 4);
  const answer = Math.floor(Math.min(wanted, contextWindow / 2));
  return {
    request: Math.floor(((contextWindow - answer) * tolerance) / correction),
    answer,
    skill: Math.floor(Math.min(Math.max(5000, estimated / 10), estimated / 6)),
    skills: Math.floor(Math.min(Math.max(25_000, estimated / 4), estimated / 3)),
  };
}

/** The output limit to send with a request, if any: the answer must not exceed a known context window. */
export function outputLimit(
  config: ModelConfig,
  app: AppConfig,
  { answer }: Window,
): number | undefined {
  const limit = app.tokenLimit;
  const usual = limit ?? config.maxOutputTokens ?? defaultMaxOutput;
  return config.contextWindow !== undefined && usual > answer ? answer : limit;
}
