import type { Embedder } from '../models/index.ts';
import { checkDimensions } from './embed-skills.ts';
import type { EmbeddingLimits } from './embedding-limits.ts';
import type { Meanings } from './fuse-rankings.ts';
import type { SimilarSkills } from './similar-skills.ts';

interface Options {
  similar: SimilarSkills;
  limits: EmbeddingLimits;
  embedder: () => Embedder | undefined;
  /** Called after each question, with the error if it failed. */
  onAnswer: (failure?: unknown) => void;
}

/** Embeds questions while users wait. After a failure, questions are skipped for a while. */
export function understandQuestions({ similar, limits, embedder, onAnswer }: Options): Meanings {
  let pausedUntil = 0;
  return {
    nearTo: (text) => similar.nearTo(text),
    understand: async (text) => {
      const asked = embedder();
      if (!asked || similar.size === 0 || text.trim() === '') {
        return false;
      }
      const isRenewed = await similar.askAgain(text);
      if (isRenewed !== undefined || performance.now() < pausedUntil) {
        return isRenewed ?? false;
      }
      try {
        const [vector] = await asked.embed([text.slice(0, limits.text)], asked.maxWaitMs);
        if (vector && asked === embedder()) {
          checkDimensions(vector, similar.dimensions);
          await similar.ask(text, vector);
        }
        onAnswer();
      } catch (error) {
        pausedUntil = performance.now() + limits.noQuestionsMs;
        onAnswer(error);
      }
      return similar.nearTo(text) !== undefined;
    },
  };
}
