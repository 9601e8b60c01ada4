import { answerLanguages } from '@knowhow/shared/access/preferences';
import {
  canonicalTag,
  listLanguages,
  maxDescriptionLength,
  maxTitleLength,
  maxTranslations,
  translatedFields,
} from '@knowhow/shared/skills/edited-translations';
import type { SkillTranslations } from '@knowhow/shared/skills/skill-translations';
import { Button, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { focusHere } from '../focus/focus-here.ts';
import { isComposing } from '../focus/is-composing.ts';
import { LimitedTextarea } from '../forms/limited-textarea.tsx';
import { type Original, SuggestTranslation } from './suggest-translation.tsx';
import classes from './translation-fields.module.css';

interface TranslationFieldsProps {
  /** The texts in the language of the skill. */
  original: Original;
  /** A language with empty texts is shown, and not stored. */
  value: SkillTranslations;
  onChange: (changed: SkillTranslations) => void;
}

/** Title and description of a skill in further languages: a group of fields for each, which can be added and removed. */
export function TranslationFields({ original, value, onChange }: TranslationFieldsProps) {
  const [added, setAdded] = useState<string>();
  const adding = useRef<HTMLInputElement>(null);
  const shown = listLanguages(value);

  function add(tag: string) {
    setAdded(tag);
    onChange({
      title: { ...value.title, [tag]: '' },
      description: { ...value.description, [tag]: '' },
    });
  }

  function remove(tag: string) {
    const { [tag]: _title, ...title } = value.title;
    const { [tag]: _description, ...description } = value.description;
    onChange({ title, description });
    adding.current?.focus();
  }

  return (
    <div className={classes.languages}>
      {shown.map((tag) => (
        <LanguageFields
          key={tag}
          tag={tag}
          isNew={tag === added}
          original={original}
          value={value}
          onChange={(changed) => {
            setAdded(undefined);
            onChange(changed);
          }}
          onRemove={() => remove(tag)}
        />
      ))}
      {shown.length < maxTranslations && <AddLanguage ref={adding} shown={shown} onAdd={add} />}
    </div>
  );
}

interface LanguageFieldsProps extends TranslationFieldsProps {
  tag: string;
  /** Takes the focus. */
  isNew: boolean;
  onRemove: () => void;
}

function LanguageFields({ original, tag, isNew, value, onChange, onRemove }: LanguageFieldsProps) {
  const { t } = useTranslation();
  const name = getLanguageName(tag);
  const { [tag]: title = '' } = value.title;
  const { [tag]: description = '' } = value.description;
  const change = (field: (typeof translatedFields)[number], text: string) =>
    onChange({ ...value, [field]: { ...value[field], [tag]: text } });
  return (
    <fieldset className={classes.language}>
      <legend>
        <span lang={tag}>{name}</span> <code>{tag}</code>
      </legend>
      <TextInput
        ref={isNew ? focusHere : undefined}
        label={t('skillTranslations.title')}
        lang={tag}
        dir="auto"
        maxLength={maxTitleLength}
        autoComplete="off"
        value={title}
        onChange={(event) => change('title', event.currentTarget.value)}
      />
      <LimitedTextarea
        label={t('skillTranslations.description')}
        lang={tag}
        dir="auto"
        rows={3}
        resize="vertical"
        maxLength={maxDescriptionLength}
        value={description}
        onChange={(event) => change('description', event.currentTarget.value)}
      />
      <SuggestTranslation
        original={{
          ...(title.trim() === '' ? { title: original.title } : {}),
          ...(description.trim() === '' ? { description: original.description } : {}),
        }}
        language={tag}
        onSuggest={(texts) =>
          onChange({
            title:
              texts.title && title.trim() === ''
                ? { ...value.title, [tag]: texts.title }
                : value.title,
            description:
              texts.description && description.trim() === ''
                ? { ...value.description, [tag]: texts.description }
                : value.description,
          })
        }
      />
      <Button
        className={classes.remove}
        variant="subtle"
        color="red"
        size="compact-sm"
        leftSection={<IconTrash size={15} aria-hidden />}
        onClick={onRemove}
      >
        {t('skillTranslations.remove', { language: name })}
      </Button>
    </fieldset>
  );
}

interface AddLanguageProps {
  ref: React.Ref<HTMLInputElement>;
  shown: readonly string[];
  onAdd: (tag: string) => void;
}

/** A field for a language tag, with suggestions. */
function AddLanguage({ ref, shown, onAdd }: AddLanguageProps) {
  const { t } = useTranslation();
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string>();

  function add() {
    const tag = findTag(typed.trim());
    if (tag === undefined) {
      setError(t('skillTranslations.invalid'));
    } else if (shown.includes(tag)) {
      setError(t('skillTranslations.exists', { language: getLanguageName(tag) }));
    } else {
      setTyped('');
      onAdd(tag);
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && !isComposing(event)) {
      // Enter would send the form.
      event.preventDefault();
      add();
    }
  }

  return (
    <div className={classes.add}>
      <TextInput
        ref={ref}
        label={t('skillTranslations.language')}
        description={t('skillTranslations.languageAbout')}
        list={listId}
        maxLength={35}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        error={error}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setError(undefined);
          setTyped(event.currentTarget.value);
        }}
      />
      <datalist id={listId}>
        {answerLanguages
          .filter((tag) => !shown.includes(tag))
          .map((tag) => (
            <option key={tag} value={tag}>
              {getLanguageName(tag)}
            </option>
          ))}
      </datalist>
      <Button variant="default" leftSection={<IconPlus size={15} aria-hidden />} onClick={add}>
        {t('skillTranslations.add')}
      </Button>
    </div>
  );
}

/** The tag of a language, from its tag or, for suggested ones, its own name; undefined for an unknown language. */
function findTag(typed: string): string | undefined {
  const name = typed.toLocaleLowerCase();
  const suggested = answerLanguages.find(
    (tag) => getLanguageName(tag).toLocaleLowerCase() === name,
  );
  const tag = suggested ?? canonicalTag(typed);
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
  return tag !== undefined && names.of(tag) !== undefined ? tag : undefined;
}

/** The name of a language in that language. */
function getLanguageName(tag: string): string {
  return new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
}

/** Whether two translations are stored alike: empty texts do not count. */
export function haveSameTexts(one: SkillTranslations, other: SkillTranslations): boolean {
  return translatedFields.every((field) => {
    const [first, second] = [one[field], other[field]];
    const tags = [...Object.keys(first), ...Object.keys(second)];
    return tags.every((tag) => (first[tag] ?? '').trim() === (second[tag] ?? '').trim());
  });
}
