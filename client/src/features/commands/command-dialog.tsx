import { holdsRight } from '@knowhow/shared/access/admin-rights';
import { maxQueryLength } from '@knowhow/shared/list';
import { createScorer, searchable } from '@knowhow/shared/skills/scorer-for';
import { Modal } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useListKeys } from '../../ui/focus/use-list-keys.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import type { Command } from './command.ts';
import classes from './command-dialog.module.css';
import {
  maxResults,
  useConfigured,
  useFoundConversations,
  useFoundSkills,
  useFoundUsers,
  useManagedSkills,
  useOffered,
} from './use-found.tsx';

interface CommandDialogProps {
  commands: Command[];
  /** Initial search text. */
  wanted: string;
  onClose: () => void;
  /** Navigates within the app. */
  onGo: (path: string) => void;
  /** Starts a message with the prompt of this title. */
  onUsePrompt: (title: string) => void;
  /** Admin pages; omitted for other users. */
  adminPages: Command[] | undefined;
  /** The user's admin permissions. */
  rights: readonly string[];
}

interface Section {
  title: string;
  commands: Command[];
}

/** A keyboard-first search across everything. */
export function CommandDialog(props: CommandDialogProps) {
  const { onClose, adminPages } = props;
  const { t } = useTranslation();
  const [text, setText] = useState(props.wanted);
  const { sections, isPending, error, retry } = useSections(text, props);
  const listId = useId();
  const options = sections.flatMap(({ commands: found }) => found);

  function run(index: number) {
    onClose();
    options[index]?.run();
  }

  const keys = useListKeys({ subject: text, count: options.length, onChoose: run });
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      size={560}
      yOffset="12dvh"
      padding={0}
      attributes={{ content: { 'aria-label': t('commands.title') } }}
    >
      <div className={classes.search}>
        <IconSearch size={18} aria-hidden />
        <input
          data-autofocus
          role="combobox"
          aria-label={t('commands.title')}
          aria-expanded={options.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={options.length > 0 ? `${listId}-${keys.active}` : undefined}
          placeholder={t(adminPages ? 'commands.title' : 'commands.placeholder')}
          value={text}
          maxLength={maxQueryLength}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={keys.onKeyDown}
        />
      </div>
      {error && <ErrorNote error={error} onRetry={retry} />}
      <p className={classes.count} role="status">
        {options.length > 0 && t('palette.count', { count: options.length })}
      </p>
      {options.length === 0 ? (
        <p className={classes.nothing} role="status">
          {isPending ? t('state.loading') : t('commands.nothing')}
        </p>
      ) : (
        <Options
          id={listId}
          sections={sections}
          active={keys.active}
          onActive={keys.setActive}
          onRun={run}
        />
      )}
    </Modal>
  );
}

/** Results under headings: local ones first, then those from the server. */
function useSections(text: string, props: CommandDialogProps) {
  const { commands, onGo, onUsePrompt, adminPages, rights } = props;
  const { t } = useTranslation();
  const [asked] = useDebouncedValue(text.trim(), 200);
  const { conversations, ...state } = useFoundConversations(asked, onGo);
  const skills = useFoundSkills(asked, onGo);
  const offered = useOffered(onGo, onUsePrompt);
  const managed = useManagedSkills(
    asked,
    holdsRight(rights, ['skills', 'skill-author', 'skill-publish', 'skill-block']),
    onGo,
  );
  const users = useFoundUsers(asked, holdsRight(rights, ['users']), onGo);
  const configured = useConfigured(rights, onGo);
  const some = (all: Command[]) =>
    text.trim() === '' ? [] : filterCommands(all, text, maxResults);
  const administration = (page: string) => `${t('account.administration')}: ${page}`;
  const sections: Section[] = [
    { title: t('commands.commands'), commands: filterCommands(commands, text) },
    { title: t('account.administration'), commands: filterCommands(adminPages ?? [], text) },
    { title: t('commands.useSkill'), commands: skills },
    { title: t('commands.openApp'), commands: some(offered.apps) },
    { title: t('commands.usePrompt'), commands: some(offered.prompts) },
    { title: t('conversations.label'), commands: conversations },
    { title: t('commands.manageSkill'), commands: managed },
    { title: administration(t('adminPages.tools')), commands: some(configured.tools) },
    { title: administration(t('adminPages.apps')), commands: some(configured.apps) },
    { title: administration(t('adminPages.groups')), commands: some(configured.groups) },
    { title: administration(t('adminPages.users')), commands: users },
    { title: administration(t('adminPages.models')), commands: some(configured.models) },
    { title: administration(t('adminPages.prompts')), commands: some(configured.prompts) },
  ];
  return { sections: sections.filter(({ commands: found }) => found.length > 0), ...state };
}

/** Matching entries, best first; all, unchanged, while the search is empty. */
function filterCommands(all: Command[], text: string, most = all.length): Command[] {
  if (text.trim() === '') {
    return all;
  }
  const scoreOf = createScorer(text);
  return all
    .map((command) => ({
      command,
      score: scoreOf(searchable({ name: command.label, otherNames: [], description: '' })),
    }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ command }) => command);
}

interface OptionsProps {
  id: string;
  sections: Section[];
  active: number;
  onActive: (index: number) => void;
  onRun: (index: number) => void;
}

function Options({ id, sections, active, onActive, onRun }: OptionsProps): ReactNode {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  let index = -1;

  useEffect(() => {
    const option = list.current?.querySelector(`#${CSS.escape(`${id}-${active}`)}`);
    option?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);

  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={t('commands.results')}
      className={classes.list}
    >
      {sections.map(({ title, commands }) => (
        // biome-ignore lint/a11y/useSemanticElements: options are grouped by role, not by fieldset
        <div key={title} role="group" aria-label={title}>
          <div role="presentation" className={classes.section}>
            {title}
          </div>
          {commands.map((command) => {
            index += 1;
            const own = index;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the text field's, which has the focus
              <div
                key={command.id}
                id={`${id}-${own}`}
                role="option"
                tabIndex={-1}
                aria-selected={own === active}
                className={classes.option}
                onMouseMove={() => onActive(own)}
                onClick={() => onRun(own)}
              >
                {command.icon}
                <span>{command.label}</span>
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}
