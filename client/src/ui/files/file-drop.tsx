import { Portal } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import classes from './file-drop.module.css';
import { droppedFiles, type SelectedFile } from './selected-files.ts';

interface FileDropProps {
  /** Texts of the overlay: what to do, and what will happen. */
  title: string;
  text: string;
  onFiles: (files: SelectedFile[]) => void;
}

/** Accepts files and folders dropped anywhere on the page. */
export function FileDrop({ title, text, onFiles }: FileDropProps) {
  const [isOver, setOver] = useState(false);
  const latest = useRef(onFiles);
  useEffect(() => {
    latest.current = onFiles;
  });

  useEffect(() => {
    function onDragOver(event: DragEvent) {
      if (event.dataTransfer?.types.includes('Files')) {
        event.preventDefault();
        setOver(true);
      }
    }
    function onDragLeave(event: DragEvent) {
      // Moves between elements also fire leave events.
      if (event.relatedTarget === null) {
        setOver(false);
      }
    }
    function onDrop(event: DragEvent) {
      if (event.dataTransfer?.types.includes('Files')) {
        event.preventDefault();
        setOver(false);
        droppedFiles(event).then(
          (files) => files.length > 0 && latest.current(files),
          // A file that has been removed meanwhile is ignored.
          () => undefined,
        );
      }
    }
    window.addEventListener('dragover', onDragOver);
    window.addEventListener('dragleave', onDragLeave);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragover', onDragOver);
      window.removeEventListener('dragleave', onDragLeave);
      window.removeEventListener('drop', onDrop);
    };
  }, []);

  return (
    isOver && (
      <Portal>
        <div className={classes.overlay}>
          <div className={classes.area}>
            <IconFileImport size={32} stroke={1.5} aria-hidden />
            <p className={classes.title}>{title}</p>
            <p>{text}</p>
          </div>
        </div>
      </Portal>
    )
  );
}
