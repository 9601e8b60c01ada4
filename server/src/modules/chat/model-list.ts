import type { AppConfig } from '@knowhow/shared/config/app-config';
import type { ModelConfig } from '@knowhow/shared/config/models';
import type { Contents } from '../content/index.ts';
import { grants, type Permissions } from '../identity/index.ts';
import {
  type AskModel,
  findModelKey,
  findProvider,
  type KeySources,
  type WithheldKey,
} from '../models/index.ts';

/** A configured model and whether it can be used. */
export interface ListedModel {
  config: ModelConfig;
  key: string | undefined;
  /** Missing environment variable or setting; a model with a value here is hidden from users. */
  needs: string | undefined;
  /** A key that exists but is not sent to the model's host. */
  withheld?: WithheldKey | undefined;
}

/** The available models: configured ones and those discovered locally. */
export interface ModelList {
  all(): ListedModel[];
  /** A model as configured, whether enabled or not. */
  of(config: ModelConfig): ListedModel;
  /** Models that these permissions allow, in one app or in general, best default first. */
  usable(permissions: Permissions, app?: AppConfig): ListedModel[];
  /** Returns the same client for the same configuration. */
  open(model: ListedModel): AskModel;
  /** Whether tools are offered to it; not if its file or its server says that it does not support them. */
  takesTools(model: ListedModel): boolean;
  /** Whether its server has rejected tools although its file does not say so. */
  hasRefusedTools(model: ListedModel): boolean;
  /** Remembers that until the model's configuration changes or the process ends. */
  noteRefusedTools(model: ListedModel): void;
  /** Likewise, remembers that its server rejected the schema of one tool. */
  noteRefusedTool(model: ListedModel, name: string): void;
  /**
   * Compares the server's token count of a request with our estimate. A far lower count means that the server
   * truncated the beginning. The warning is cleared once a request of that length is counted whole.
   */
  noteTokens(model: ListedModel, tokens: TokenCount): void;
  /** Issues that its server has shown. */
  observations(model: ListedModel): ModelObservations;
  /** Increases when a server rejects something or a key changes. */
  revision(): number;
}

interface TokenCount {
  /** Our estimate of the tokens sent. */
  estimated: number;
  counted: number;
}

export interface ModelObservations {
  /** Names of tools that are omitted from its requests. */
  refusedTools: readonly string[];
  truncated?: TokenCount | undefined;
}

/** Estimates are off by up to a third, more with images. Both thresholds must be exceeded to count as truncation. */
const truncationRatio = 2;
const truncationMargin = 2000;
const maxRefusedTools = 20;

interface Dependencies {
  /** Returns the same object until a key changes. */
  keys: () => KeySources;
  contents: () => Contents;
  /** Models discovered on this machine. */
  found: () => readonly ModelConfig[];
  openModel: (config: ModelConfig, key: string | undefined) => AskModel;
}

export function createModelList(dependencies: Dependencies): ModelList {
  const { keys } = dependencies;
  let listed = new WeakMap<ModelConfig, ListedModel>();
  let opened = new Map<string, { config: ModelConfig; written: string; ask: AskModel }>();
  let revision = 0;
  let known = keys();
  /** Drops caches that were derived from outdated keys. */
  const dropStaleCaches = () => {
    if (known !== keys()) {
      known = keys();
      listed = new WeakMap();
      opened = new Map();
      revision += 1;
    }
  };
  const getListed = (config: ModelConfig) => {
    dropStaleCaches();
    // Cached, because a turn asks several times while configuration and keys stay the same.
    const model = listed.get(config) ?? listedModel(config, known);
    listed.set(config, model);
    return model;
  };
  // Configuration by model ID; compared as JSON because the file may be read again.
  const refused = new Map<string, string>();
  const hasRefusedTools = ({ config }: ListedModel) =>
    refused.get(config.id) === JSON.stringify(config);
  // By model ID as well, valid for one configuration.
  const observed = new Map<
    string,
    { config: string; tools: Set<string>; truncated?: TokenCount }
  >();
  const getObservations = ({ config }: ListedModel) => {
    const serialized = JSON.stringify(config);
    const known = observed.get(config.id);
    const now =
      known?.config === serialized ? known : { config: serialized, tools: new Set<string>() };
    observed.set(config.id, now);
    return now as { tools: Set<string>; truncated?: TokenCount | undefined };
  };
  const all = () => enabledModels(dependencies).map(getListed);
  return {
    all,
    of: getListed,
    usable: (permissions, app) =>
      all()
        .filter(
          ({ config, needs }) =>
            needs === undefined &&
            grants(permissions.models, config.id) &&
            (app?.allowedModels === undefined || app.allowedModels.includes(config.id)),
        )
        .sort((one, other) => getRank(one, app) - getRank(other, app)),
    open: ({ config, key }) => {
      dropStaleCaches();
      const known = opened.get(config.id);
      if (known?.config === config) {
        return known.ask;
      }
      // A file that was re-read without changes keeps its client and what the client learned about its server.
      const serialized = JSON.stringify(config);
      const ask = known?.written === serialized ? known.ask : dependencies.openModel(config, key);
      opened.set(config.id, { config, written: serialized, ask });
      return ask;
    },
    takesTools: (model) => model.config.supportsTools && !hasRefusedTools(model),
    hasRefusedTools,
    noteRefusedTools: ({ config }) => {
      refused.set(config.id, JSON.stringify(config));
      revision += 1;
    },
    noteRefusedTool: (model, name) => {
      const { tools } = getObservations(model);
      if (tools.size < maxRefusedTools) {
        tools.add(name);
      }
    },
    noteTokens: (model, tokens) => {
      const { estimated, counted } = tokens;
      const known = getObservations(model);
      if (counted > 0 && estimated > truncationRatio * counted + truncationMargin) {
        known.truncated = tokens;
      } else if (known.truncated && counted > truncationRatio * known.truncated.counted) {
        known.truncated = undefined;
      }
    },
    observations: (model) => {
      const { tools, truncated } = getObservations(model);
      return { refusedTools: [...tools], truncated };
    },
    revision: () => {
      dropStaleCaches();
      return revision;
    },
  };
}

/** A model with its key, or the reason why it cannot be used. */
function listedModel(config: ModelConfig, sources: KeySources): ListedModel {
  const found = findModelKey(config, sources);
  return found.ready
    ? { config, key: found.key, needs: undefined }
    : { config, key: undefined, needs: found.needs, withheld: found.withheld };
}

function enabledModels({ contents, found }: Dependencies): ModelConfig[] {
  const configured = contents().models;
  const others = found().filter(({ id }) => !configured.has(id));
  return [...configured.values(), ...others].filter(({ enabled }) => enabled);
}

/** The app's choice, then the default, then other language models, then the built-in demo. */
function getRank({ config }: ListedModel, app: AppConfig | undefined): number {
  if (config.id === app?.preferredModel) {
    return 0;
  }
  if (findProvider(config).kind === 'built-in') {
    return 3;
  }
  return config.default ? 1 : 2;
}
