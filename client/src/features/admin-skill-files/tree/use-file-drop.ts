import { type FileWithPath, fromEvent } from 'file-selector';
import { type DragEvent, useState } from 'react';

/** Accepts dropped files and folders; on a folder's row they go into that folder. */
export function useFileDrop(onDrop: (files: readonly File[], folder: string) => void) {
  const [isOver, setOver] = useState(false);

  function onDragOver(event: DragEvent) {
    if (event.dataTransfer.types.includes('Files')) {
      event.preventDefault();
      setOver(true);
    }
  }

  async function take(event: DragEvent) {
    const row = event.target instanceof Element ? event.target.closest('[data-folder]') : null;
    const folder = row?.getAttribute('data-path') ?? '';
    const dropped = await fromEvent(event.nativeEvent);
    const files = dropped.filter((one) => one instanceof File);
    if (files.length > 0) {
      onDrop(files, folder);
    }
  }

  return {
    isOver,
    handlers: {
      onDragOver,
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        event.preventDefault();
        setOver(false);
        void take(event);
      },
    },
  };
}

/** The relative path of a file in the dropped folder, or its name. */
export function droppedPath(file: FileWithPath): string {
  return (file.path ?? file.name).replace(/^(\.?\/)+/, '');
}
