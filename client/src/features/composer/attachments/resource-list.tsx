import type { ResourceServer } from '@knowhow/shared/chat/resources';
import { Loader, UnstyledButton } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../ui/text/use-format.ts';
import classes from './resource-dialog.module.css';

interface ResourceListProps {
  server: ResourceServer;
  /** Whether these are search results. */
  isSearched: boolean;
  /** The resource that is being read. */
  reading: { server: string; uri: string } | undefined;
  onChoose: (uri: string) => void;
}

/** The resources of one server, or why they could not be loaded. */
export function ResourceList({ server, isSearched, reading, onChoose }: ResourceListProps) {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  const id = useId();
  const { resources, problem } = server;
  if (resources.length === 0 && (problem === undefined || isSearched)) {
    return null;
  }
  return (
    <section className={classes.server} aria-labelledby={id}>
      <h3 id={id}>{server.title}</h3>
      {problem && <p className={classes.problem}>{problem}</p>}
      <ul>
        {resources.map(({ uri, title, description, size }) => {
          const isRead = reading?.server === server.id && reading.uri === uri;
          return (
            <li key={uri}>
              <UnstyledButton
                className={classes.resource}
                disabled={reading !== undefined}
                onClick={() => onChoose(uri)}
              >
                <bdi className={classes.title}>{title}</bdi>
                {isRead && <Loader size={14} aria-label={t('attachments.reading')} />}
                {size !== undefined && !isRead && <span>{bytes(size)}</span>}
                <bdi className={classes.about}>{description || uri}</bdi>
              </UnstyledButton>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
