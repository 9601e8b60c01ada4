import { createDryRunStore } from '../../conversations/dry-run-store.ts';
import type { Records } from '../../conversations/records.ts';
import type { TurnStore } from '../../conversations/turn-store.ts';

/** A turn store for a conversation that the client keeps. Persists nothing. */
export function createProgramStore(id: string, appId: string, records: Records): TurnStore {
  const now = new Date().toISOString();
  const conversation = {
    id,
    appId,
    title: '',
    model: '',
    createdAt: now,
    updatedAt: now,
    records,
    comparisonBranch: undefined,
    skillsOff: [],
    ranked: undefined,
    tools: [],
  };
  const isNew = records.messages.length === 0;
  return { ...createDryRunStore(), claim: async () => (isNew ? 'free' : conversation) };
}
