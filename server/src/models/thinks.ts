import type { ModelConfig } from '@knowhow/shared/config/models';

/** Whether a model is set to think; its vendor then takes other settings (no temperature, say). */
export function thinks({ thinking }: ModelConfig): boolean {
  return thinking !== undefined && thinking.enabled !== false;
}
