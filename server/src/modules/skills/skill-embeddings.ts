import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import { formatCount } from '../../platform/lib/format-count.ts';
import { type Embedder, EmbedderFailure } from '../models/index.ts';
import {
  checkDimensions,
  type EmbeddingBasis,
  type EmbeddingWork,
  embedSkills,
} from './embed-skills.ts';
import { defaultEmbeddingLimits, type EmbeddingLimits } from './embedding-limits.ts';
import type { Meanings } from './fuse-rankings.ts';
import { SimilarSkills } from './similar-skills.ts';
import type { SkillStore } from './store/skill-store.ts';

/** Embeddings of all skills, updated in the background while there is an embedder. */
export interface SkillEmbeddings extends Meanings {
  /** Call when skills, settings or the embedder may have changed; returns at once. */
  refresh(): void;
  /** Resolves when all requested work is done or postponed. */
  settled(): Promise<void>;
  /** Why skills, or some of them, are ranked by words only; undefined if all is well. */
  fault(): string | undefined;
  close(): void;
}

interface Dependencies extends Pick<EmbeddingWork, 'kept' | 'withLock'> {
  store: Pick<SkillStore, 'snapshot' | 'readText'>;
  config: () => SkillsConfig;
  /** The same object while its settings are the same; undefined without an embedder. */
  embedder: () => Embedder | undefined;
  /** Called when `fault` may have changed. */
  onFault: () => void;
  onError: (error: unknown) => void;
  limits?: Partial<EmbeddingLimits>;
}

export function createSkillEmbeddings(dependencies: Dependencies): SkillEmbeddings {
  const updater = new EmbeddingUpdater(dependencies);
  return {
    ...updater.questions,
    fault: () => updater.fault(),
    refresh: () => updater.refresh(),
    settled: () => updater.work,
    close: () => updater.close(),
  };
}

/** A single timeout or interruption is not reported yet. */
const minFailures = 2;

/** Counts consecutive failures and holds the message about them. */
class Failures {
  count = 0;
  fault: string | undefined;

  add(error: unknown): void {
    this.count += 1;
    this.fault = this.count < minFailures ? this.fault : byWordsAlone(error);
  }

  clear(fault?: string): void {
    this.count = 0;
    this.fault = fault;
  }
}

/** Follows changes of skills, settings and embedder. */
class EmbeddingUpdater {
  readonly questions: Meanings;
  work: Promise<void> = Promise.resolve();
  private readonly dependencies: Dependencies;
  private readonly embedding: EmbeddingWork;
  private readonly ofSkills = new Failures();
  private readonly ofQuestions = new Failures();
  private basis: EmbeddingBasis | undefined;
  /** The last basis for which all skills have embeddings. */
  private former: EmbeddingBasis | undefined;
  private again: NodeJS.Timeout | undefined;

  constructor(dependencies: Dependencies) {
    const { store, kept, withLock, onFault } = dependencies;
    const limits = { ...defaultEmbeddingLimits, ...dependencies.limits };
    const similar = new SimilarSkills(limits.maxBytes);
    this.dependencies = dependencies;
    this.embedding = { store, kept, withLock, limits, similar, known: new Map() };
    this.questions = understandQuestions({
      similar,
      limits,
      embedder: () => this.basis?.embedder,
      onAnswer: (failure) => {
        if (failure === undefined) {
          this.ofQuestions.clear();
        } else {
          this.ofQuestions.add(failure);
        }
        onFault();
      },
    });
  }

  fault(): string | undefined {
    return this.ofSkills.fault ?? this.ofQuestions.fault;
  }

  refresh(): void {
    const { store, config, embedder } = this.dependencies;
    const now = embedder();
    const own = now && { embedder: now, snapshot: store.snapshot, config: config() };
    if (now !== this.basis?.embedder) {
      this.forget();
    }
    if (isOther(own, this.basis)) {
      this.basis = own;
      this.begin();
    }
  }

  close(): void {
    this.basis = undefined;
    clearTimeout(this.again);
  }

  private forget(): void {
    clearTimeout(this.again);
    this.embedding.similar.clear();
    this.embedding.known.clear();
    this.former = undefined;
    this.ofSkills.clear();
    this.ofQuestions.clear();
  }

  private begin(): void {
    const own = this.basis;
    this.work = this.work.then(() => (own && own === this.basis ? this.bringUpTo(own) : undefined));
  }

  private async bringUpTo(own: EmbeddingBasis): Promise<void> {
    const { former } = this;
    this.former = undefined;
    const isOver = () => own !== this.basis;
    try {
      const left = await embedSkills(this.embedding, { own, former, isOver });
      if (!isOver()) {
        this.former = own;
        this.ofSkills.clear(left > 0 ? noRoom(left) : undefined);
      }
    } catch (error) {
      if (own.embedder === this.basis?.embedder) {
        this.putOff(error);
      }
    }
    this.dependencies.onFault();
  }

  /** Retries the skills without an embedding after a delay. */
  private putOff(error: unknown): void {
    const { againMs } = this.embedding.limits;
    if (!(error instanceof EmbedderFailure)) {
      this.dependencies.onError(error);
    }
    this.ofSkills.add(error);
    const waitMs = againMs[Math.min(this.ofSkills.count, againMs.length) - 1];
    clearTimeout(this.again);
    this.again = setTimeout(() => this.begin(), waitMs).unref();
  }
}

function isOther(one: EmbeddingBasis | undefined, other: EmbeddingBasis | undefined): boolean {
  return (
    one?.embedder !== other?.embedder ||
    one?.snapshot !== other?.snapshot ||
    one?.config !== other?.config
  );
}

function byWordsAlone(error: unknown): string {
  const why =
    error instanceof EmbedderFailure ? error.message : 'The embeddings of skills cannot be stored.';
  return `${why} Skills are ranked by their words meanwhile.`;
}

function noRoom(left: number): string {
  return `There is no memory left for the vectors of ${formatCount(left, 'skill')}: words alone rank these. Take an embedder with shorter vectors.`;
}

interface Options {
  similar: SimilarSkills;
  limits: EmbeddingLimits;
  embedder: () => Embedder | undefined;
  /** Called after each question, with the error if it failed. */
  onAnswer: (failure?: unknown) => void;
}

/** Embeds questions while users wait. After a failure, questions are skipped for a while. */
function understandQuestions({ similar, limits, embedder, onAnswer }: Options): Meanings {
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
