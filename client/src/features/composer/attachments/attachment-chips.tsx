import {
  type Attachment,
  maxFilesAttached,
  type ReadWarningKind,
} from '@knowhow/shared/chat/attachments';
import { Problem } from '@knowhow/shared/problem';
import type { FileFault } from '@knowhow/shared/skills/file-faults';
import { UnstyledButton } from '@mantine/core';
import { IconFileText, IconPhoto, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../ui/text/use-error-text.ts';
import { useFormat } from '../../../ui/text/use-format.ts';
import classes from './attachment-chips.module.css';
import type { Attachments, Uploading } from './use-attachments.ts';

interface AttachmentChipsProps {
  attached: readonly Attachment[];
  attachments: Attachments;
  /** The model's name, if it does not support images. */
  blind: string | undefined;
}

/** The attachments of the message, including pending uploads. */
export function AttachmentChips({ attached, attachments, blind }: AttachmentChipsProps) {
  const { t } = useTranslation();
  const tokens = attached.reduce((sum, file) => sum + file.tokens, 0);
  const hasPictures = attached.some(({ kind }) => kind === 'picture');
  return (
    <div className={classes.all}>
      <ul className={classes.chips} aria-label={t('attachments.label')}>
        {attached.map((file) => (
          <AttachedChip key={file.id} file={file} onRemove={() => attachments.remove(file)} />
        ))}
        {attachments.uploads.map((upload) => (
          <UploadChip
            key={upload.key}
            upload={upload}
            onRemove={() => attachments.cancel(upload.key)}
          />
        ))}
      </ul>
      <div className={classes.notes} role="status">
        {attached.length > 1 && <p>{t('attachments.sum', { count: roundTokens(tokens) })}</p>}
        {attached.some(({ isCut }) => isCut) && <p>{t('attachments.cut')}</p>}
        {attached
          .filter(({ warnings = [] }) => warnings.length > 0)
          .map((file) => (
            <ReadWarnings key={file.id} file={file} />
          ))}
        {hasPictures && blind !== undefined && (
          <p className={classes.warning}>{t('attachments.blind', { model: blind })}</p>
        )}
        {attachments.isFull && (
          <p className={classes.warning}>{t('attachments.full', { count: maxFilesAttached })}</p>
        )}
      </div>
    </div>
  );
}

const warningTexts = {
  'empty-pages': 'attachments.warning.emptyPages',
  pictures: 'attachments.warning.pictures',
  charts: 'attachments.warning.charts',
  diagrams: 'attachments.warning.diagrams',
  formulas: 'attachments.warning.formulas',
  uncalculated: 'attachments.warning.uncalculated',
  deletions: 'attachments.warning.deletions',
  attachments: 'attachments.warning.attachments',
  embedded: 'attachments.warning.embedded',
  hidden: 'attachments.warning.hidden',
  encoding: 'attachments.warning.encoding',
  ending: 'attachments.warning.ending',
} as const satisfies Record<ReadWarningKind, string>;

/** Lists the content of a file that the model does not receive. */
function ReadWarnings({ file: { name, warnings = [] } }: { file: Attachment }) {
  const { t } = useTranslation();
  const texts = warnings.map(({ kind, count, names = [] }) => {
    const listed = names.join(', ') + (count > names.length ? ', …' : '');
    return t(warningTexts[kind], { count, names: names.length > 0 ? listed : String(count) });
  });
  return (
    <p className={classes.warning}>
      <bdi>{name}</bdi>: {texts.join(' ')}
    </p>
  );
}

const counted = {
  page: 'attachments.page',
  sheet: 'attachments.sheet',
  slide: 'attachments.slide',
} as const;

function AttachedChip({ file, onRemove }: { file: Attachment; onRemove: () => void }) {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  const { kind, name, size, tokens, parts, origin } = file;
  const facts = [
    ...(origin ? [t('attachments.origin', { server: origin.server })] : []),
    bytes(size),
    ...(parts ? [t(counted[parts.kind], { count: parts.count })] : []),
    t('attachments.tokens', { count: roundTokens(tokens) }),
  ];
  return (
    <Chip
      name={name}
      address={origin?.uri}
      onRemove={onRemove}
      icon={<KindIcon isPicture={kind === 'picture'} />}
    >
      {facts.join(' · ')}
    </Chip>
  );
}

function KindIcon({ isPicture }: { isPicture: boolean }) {
  return isPicture ? <IconPhoto size={18} aria-hidden /> : <IconFileText size={18} aria-hidden />;
}

function UploadChip({ upload, onRemove }: { upload: Uploading; onRemove: () => void }) {
  const { t } = useTranslation();
  const wordsOf = useUploadError();
  const { name, sent, error } = upload;
  if (error !== undefined) {
    return (
      <Chip name={name} onRemove={onRemove} icon={<KindIcon isPicture={false} />} isFailed>
        {wordsOf(error)}
      </Chip>
    );
  }
  const isRead = sent >= 1;
  return (
    <Chip name={name} onRemove={onRemove} icon={<KindIcon isPicture={false} />}>
      <progress
        className={classes.progress}
        aria-label={t('attachments.progress', { name })}
        {...(isRead ? {} : { value: sent })}
      />
      {isRead && t('attachments.reading')}
    </Chip>
  );
}

interface ChipProps {
  name: string;
  /** The source of the file. */
  address?: string | undefined;
  icon: ReactNode;
  isFailed?: boolean;
  onRemove: () => void;
  children: ReactNode;
}

function Chip({ name, address, icon, isFailed = false, onRemove, children }: ChipProps) {
  const { t } = useTranslation();
  return (
    <li className={classes.chip} data-failed={isFailed || undefined}>
      {icon}
      <div className={classes.text} role={isFailed ? 'alert' : undefined}>
        <bdi className={classes.name} title={address ?? name}>
          {name}
        </bdi>
        <span className={classes.facts}>{children}</span>
      </div>
      <UnstyledButton
        className={classes.remove}
        aria-label={t('attachments.remove', { name })}
        onClick={onRemove}
      >
        <IconX size={14} aria-hidden />
      </UnstyledButton>
    </li>
  );
}

/** Rounded: an estimate is not more precise than that. */
function roundTokens(tokens: number): number {
  return Number(tokens.toPrecision(2));
}

/** Returns the text of an upload error. */
function useUploadError(): (error: unknown) => string {
  const { t } = useTranslation();
  const textOf = useErrorText();
  return (error) => {
    const fault = error instanceof Problem ? error.issues?.[0]?.code : undefined;
    if (fault !== undefined && Object.hasOwn(faults, fault)) {
      return t(faults[fault as FileFault]);
    }
    const { title, detail } = textOf(error);
    return detail || title;
  };
}

const faults = {
  nothing: 'attachments.fault.nothing',
  'unknown-kind': 'attachments.fault.unknownKind',
  locked: 'attachments.fault.locked',
  broken: 'attachments.fault.broken',
  encrypted: 'attachments.fault.encrypted',
  empty: 'attachments.fault.empty',
  'too-large': 'attachments.fault.tooLarge',
  'too-slow': 'attachments.fault.tooSlow',
  'broken-picture': 'attachments.fault.brokenPicture',
  'large-picture': 'attachments.fault.largePicture',
  'wide-picture': 'attachments.fault.widePicture',
} as const satisfies Record<FileFault, string>;
