import { localize } from '@knowhow/shared/config/localized';
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { type ChangeEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { languages } from '../../i18n/languages.ts';
import classes from './fields.module.css';
import type { ConfigPath } from './items/config-path.ts';
import { asLocalized } from './items/config-value.ts';
import { useField } from './items/draft-context.ts';

interface LocalizedFieldProps {
  path: ConfigPath;
  label: string;
  description?: string;
  /** Minimum rows of an autosizing field; omitted for a single line. */
  rows?: number;
}

/** A localizable text: one for all languages, or one per language. */
export function LocalizedField({ path, label, description, rows }: LocalizedFieldProps) {
  const { t, i18n } = useTranslation();
  const { value, set, error } = useField(path);
  const [isSplit, setSplit] = useState(false);
  const [added, setAdded] = useState<readonly string[]>([]);
  const text = asLocalized(value) ?? (isSplit ? {} : '');

  function split() {
    setSplit(true);
    set(text ? { [i18n.language]: text } : undefined);
  }

  function unite() {
    setSplit(false);
    set(localize(text, i18n.language) || undefined);
  }

  const shown = typeof text === 'string' ? [] : listLanguages(text, [i18n.language, ...added]);
  return (
    <fieldset className={classes.localized}>
      <legend className={classes.legend}>{label}</legend>
      {typeof text === 'string' && (
        <Button className={classes.split} variant="subtle" size="compact-xs" onClick={split}>
          {t('adminConfig.localized.split')}
        </Button>
      )}
      {typeof text === 'object' && Object.keys(text).length < 2 && (
        <Button className={classes.split} variant="subtle" size="compact-xs" onClick={unite}>
          {t('adminConfig.localized.unite')}
        </Button>
      )}
      {description && <p className={classes.about}>{description}</p>}
      {typeof text === 'string' ? (
        <Words
          label={label}
          rows={rows}
          value={text}
          error={error}
          onChange={(changed) => set(changed || undefined)}
        />
      ) : (
        <>
          {shown.map((tag, index) => (
            <Words
              key={tag}
              label={`${label}, ${languageName(tag)}`}
              language={tag}
              rows={rows}
              value={text[tag] ?? ''}
              error={index === 0 && error}
              onChange={(changed) => set(setText(text, tag, changed))}
            />
          ))}
          <AddLanguage
            label={label}
            shown={shown}
            onAdd={(language) => setAdded([...added, language])}
          />
        </>
      )}
    </fieldset>
  );
}

interface WordsProps {
  label: string;
  /** The language tag, if there are several. */
  language?: string;
  rows: number | undefined;
  value: string;
  error: ReactNode;
  onChange: (value: string) => void;
}

function Words({ label, language, rows, value, error, onChange }: WordsProps) {
  const shared = {
    'aria-label': label,
    lang: language,
    value,
    error,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onChange(event.currentTarget.value),
  };
  return (
    <div className={classes.words} data-long={(rows ?? 1) > 1 || undefined}>
      {language !== undefined && (
        <span className={classes.language} aria-hidden>
          {languageName(language)}
        </span>
      )}
      {rows === undefined ? (
        <TextInput {...shared} autoComplete="off" />
      ) : (
        <Textarea {...shared} autosize minRows={rows} maxRows={24} />
      )}
    </div>
  );
}

/** English, further languages, and those that the text has, in our order. */
function listLanguages(text: Record<string, string>, further: readonly string[]): string[] {
  const wanted = new Set(['en', ...further, ...Object.keys(text)]);
  const own = Object.keys(languages).filter((tag) => wanted.has(tag));
  return [...new Set([...own, ...Object.keys(text)])];
}

interface AddLanguageProps {
  label: string;
  shown: readonly string[];
  onAdd: (language: string) => void;
}

/** Adds a field for another language. */
function AddLanguage({ label, shown, onAdd }: AddLanguageProps) {
  const { t } = useTranslation();
  const others = Object.keys(languages).filter((tag) => !shown.includes(tag));
  const name = t('adminConfig.localized.add');
  return (
    others.length > 0 && (
      <NativeSelect
        className={classes.addLanguage}
        size="xs"
        aria-label={`${label}, ${name}`}
        value=""
        data={[
          { value: '', label: name },
          ...others.map((tag) => ({ value: tag, label: languageName(tag) })),
        ]}
        onChange={(event) => onAdd(event.currentTarget.value)}
      />
    )
  );
}

/** Name of a language in that language. */
export function languageName(tag: string): string {
  return Object.entries(languages).find(([known]) => known === tag)?.[1].name ?? tag;
}

/** An empty text is removed, so that its language falls back to another. */
function setText(
  text: Record<string, string>,
  tag: string,
  changed: string,
): Record<string, string> | undefined {
  const { [tag]: _, ...others } = text;
  const texts = changed === '' ? others : { ...text, [tag]: changed };
  return Object.keys(texts).length > 0 ? texts : undefined;
}
