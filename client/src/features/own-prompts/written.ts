import type { UserPrompt } from '@knowhow/shared/chat/user-prompts';

/** What is being written: a new prompt has no id. */
export type Written = Partial<UserPrompt>;
