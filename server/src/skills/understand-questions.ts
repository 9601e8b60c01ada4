import type { Embedder } from '../models/open-embedder.ts';
import { checkDimensions } from './embed-skills.ts';
import type { EmbeddingLimits } from './embedding-limits.ts';
import type { Meanings } from './fuse-rankings.ts';
import type { SimilarSkills } from './similar-skills.ts';

interface Asking {
  similar: SimilarSkills;
  limits: EmbeddingLimits;
  embedder: () => Embedder | undefined;
  /** Called after each question, with why it has no vector. */
  onAnswer: (failure?: unknown) => void;
}

/** What is asked while somebody waits. After a failure nobody waits again for a while. */
export function understandQuestions({ similar, limits, embedder, onAnswer }: Asking): Meanings {
  let noneUntil = 0;
  return {
    nearTo: (text) => similar.nearTo(text),
    understand: async (text) => {
      const asked = embedder();
      if (!asked || similar.size === 0 || text.trim() === '') {
        return false;
      }
      const isRenewed = await similar.askAgain(text);
      if (isRenewed !== undefined || performance.now() < noneUntil) {
        return isRenewed ?? false;
      }
      try {
        const patienceMs = asked.maxWaitMs ?? limits.questionMs;
        const [vector] = await asked.embed([text.slice(0, limits.text)], patienceMs);
        if (vector && asked === embedder()) {
          checkDimensions(vector, similar.dimensions);
          await similar.ask(text, vector);
        }
        onAnswer();
      } catch (error) {
        noneUntil = performance.now() + limits.noQuestionsMs;
        onAnswer(error);
      }
      return similar.nearTo(text) !== undefined;
    },
  };
}
