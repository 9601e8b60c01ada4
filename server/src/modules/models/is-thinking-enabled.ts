import type { ModelConfig } from '@knowhow/shared/config/models';

/** Whether thinking is enabled for a model; vendors then accept other settings, e.g. no temperature. */
export function isThinkingEnabled({ thinking }: ModelConfig): boolean {
  return thinking !== undefined && thinking.enabled !== false;
}
