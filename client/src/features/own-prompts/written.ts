import type { UserPrompt } from '@knowhow/shared/user-prompts';

/** What is being written: a new prompt has no id. */
export type Written = Partial<UserPrompt>;
