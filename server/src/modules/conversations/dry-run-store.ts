import type { TurnStore } from './turn-store.ts';

/** A store for dry runs: keeps the active skills of one conversation in memory and persists nothing. */
export function createDryRunStore(): TurnStore {
  const active = new Set<string>();
  const nothing = async () => undefined;
  return {
    claim: async () => 'free',
    findAttachable: async () => [],
    loadAttached: async () => new Map(),
    beginTurn: async ({ activated }) => {
      for (const { activation } of activated) {
        active.add(activation.name);
      }
      return { hasPrunedBranches: false, activeNames: active };
    },
    saveAnswer: async (_conversation, _answer, { stored }) => stored,
    addActivation: async (_conversation, { activation }) => {
      active.add(activation.name);
    },
    endActivation: async (_conversation, { activation }) => {
      active.delete(activation.name);
    },
    activeNames: async () => active,
    addCompaction: nothing,
    saveOfferedTools: nothing,
  };
}
