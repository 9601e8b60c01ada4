import { fromEvent } from 'file-selector';

/** A chosen or dropped file; `path` starts with the chosen folder. */
export interface SelectedFile {
  path: string;
  file: File;
}

/** The files of a drop, including those in folders. Must be called synchronously in the event handler. */
export async function droppedFiles(event: DragEvent): Promise<SelectedFile[]> {
  // The contents of a drop are cleared after the event.
  const plain = [...(event.dataTransfer?.files ?? [])];
  try {
    const found = await fromEvent(event);
    return found.filter((item) => item instanceof File).map(toSelectedFile);
  } catch {
    // Some browsers provide no entries for drops from another window.
    return plain.map(toSelectedFile);
  }
}

export function chosenFiles(list: FileList | null): SelectedFile[] {
  return [...(list ?? [])].map(toSelectedFile);
}

function toSelectedFile(file: File & { path?: string }): SelectedFile {
  const path = file.path ?? (file.webkitRelativePath || file.name);
  return { path: path.replace(/^\.?\//, ''), file };
}
