import { type Attachment, maxFilesAttached } from '@knowhow/shared/chat/attachments';
import { filesApi } from '@knowhow/shared/chat/files';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../../api/call.ts';
import { loadChunk } from '../../../ui/loading/load-chunk.ts';
import type { Draft } from '../use-draft.ts';

/** A pending or failed upload. */
export interface Uploading {
  key: number;
  name: string;
  size: number;
  /** Upload progress, from 0 to 1; then the server extracts the text. */
  sent: number;
  error?: unknown;
}

export interface Attachments {
  uploads: readonly Uploading[];
  /** Whether sending would miss a file. */
  isWaiting: boolean;
  /** Whether files were left out because of the limit per message. */
  isFull: boolean;
  /** Whether they belong to a temporary chat: stored only in the server's memory. */
  isTemporary: boolean;
  attach: (files: readonly File[]) => void;
  /** Adds a file to the draft that is already on the server. */
  add: (attachment: Attachment) => void;
  remove: (attachment: Attachment) => void;
  /** Aborts an upload, or removes a failed one. */
  cancel: (key: number) => void;
}

/** Uploads files and adds them to the draft; for a temporary chat, only into the server's memory. */
export function useAttachments(
  draft: Draft,
  update: (change: (draft: Draft) => Draft) => void,
  isTemporary = false,
): Attachments {
  const [uploads, setUploads] = useState<readonly Uploading[]>([]);
  const [isFull, setIsFull] = useState(false);
  const ends = useRef(new Map<number, AbortController>());
  const count = useRef(0);
  useEffect(() => {
    const running = ends.current;
    return () => {
      for (const end of running.values()) {
        end.abort();
      }
    };
  }, []);

  const forget = (key: number) => {
    ends.current.delete(key);
    setUploads((before) => before.filter((upload) => upload.key !== key));
  };
  const note = (key: number, changed: Partial<Uploading>) =>
    setUploads((before) =>
      before.map((upload) => (upload.key === key ? { ...upload, ...changed } : upload)),
    );

  async function upload(file: File) {
    count.current += 1;
    const key = count.current;
    const end = new AbortController();
    ends.current.set(key, end);
    setUploads((before) => [...before, { key, name: file.name, size: file.size, sent: 0 }]);
    try {
      const { uploadFile } = await loadChunk(() => import('./upload-file.ts'));
      const onProgress = (sent: number) => note(key, { sent });
      const attachment = await uploadFile(file, { signal: end.signal, onProgress, isTemporary });
      end.signal.throwIfAborted();
      update(addAttachment(attachment));
      forget(key);
    } catch (error) {
      if (!end.signal.aborted) {
        note(key, { error });
      }
    }
  }

  return {
    uploads,
    isWaiting: uploads.length > 0,
    isFull,
    isTemporary,
    add: (attachment) => update(addAttachment(attachment)),
    attach: (files) => {
      const room = maxFilesAttached - (draft.attachments?.length ?? 0) - uploads.length;
      setIsFull(files.length > room);
      for (const file of files.slice(0, Math.max(0, room))) {
        void upload(file);
      }
    },
    remove: ({ id }) => {
      setIsFull(false);
      update(removeAttachment(id));
      // The server removes an orphaned file within a day.
      call(filesApi.remove, { params: { id } }).catch(() => undefined);
    },
    cancel: (key) => {
      ends.current.get(key)?.abort();
      setIsFull(false);
      forget(key);
    },
  };
}

function addAttachment(attachment: Attachment) {
  return (draft: Draft): Draft => ({
    ...draft,
    attachments: [...(draft.attachments ?? []), attachment],
  });
}

function removeAttachment(id: string) {
  return ({ attachments = [], ...rest }: Draft): Draft => ({
    ...rest,
    attachments: attachments.filter((attachment) => attachment.id !== id),
  });
}
