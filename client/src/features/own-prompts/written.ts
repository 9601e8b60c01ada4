import type { UserPrompt } from '@knowhow/shared/chat/user-prompts';

/** The prompt in the form; a new one has no ID. */
export type Written = Partial<UserPrompt>;
