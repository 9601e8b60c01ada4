import type { AppConfig } from '@knowhow/shared/config/app-config';
import type { ModelConfig } from '@knowhow/shared/config/models';

/** How the window of a model is shared out, in tokens as we estimate them. */
export interface Window {
  /** What a request may have. */
  request: number;
  /** What is kept for the answer, as the provider counts. */
  answer: number;
  /** The longest text of a skill that is sent whole. */
  skill: number;
  /** What the texts of active skills may have together, once the turns they came in with are left out. */
  skills: number;
}

/** Where the file of a model does not say it. */
export const defaultWindow = 32_000;
/** The estimate of a request may be this much too low. */
const tolerance = 0.9;
/** Vendors that want a limit with each request get this one. */
const usualAnswer = 16_384;

/** @param correction tokens that the model's provider counts for each that we estimate */
export function windowOf(
  { contextWindow = defaultWindow, maxOutputTokens }: ModelConfig,
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

/** The limit that is sent with a request, where there is one: the answer must not outgrow a known window. */
export function outputLimit(
  config: ModelConfig,
  app: AppConfig,
  { answer }: Window,
): number | undefined {
  const limit = app.tokenLimit;
  const usual = limit ?? config.maxOutputTokens ?? usualAnswer;
  return config.contextWindow !== undefined && usual > answer ? answer : limit;
}
