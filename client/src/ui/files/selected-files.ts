import { fromEvent } from 'file-selector';

/** A file that was chosen or dropped; `path` begins with the folder that was. */
export interface SelectedFile {
  path: string;
  file: File;
}

/** The files of a drop, those in folders too. Has to be called while the event is under way. */
export async function droppedFiles(event: DragEvent): Promise<SelectedFile[]> {
  // What a drop holds is gone a moment later.
  const plain = [...(event.dataTransfer?.files ?? [])];
  try {
    const found = await fromEvent(event);
    return found.filter((item) => item instanceof File).map(selectedFile);
  } catch {
    // Some browsers give no way into what comes from another window.
    return plain.map(selectedFile);
  }
}

export function chosenFiles(list: FileList | null): SelectedFile[] {
  return [...(list ?? [])].map(selectedFile);
}

function selectedFile(file: File & { path?: string }): SelectedFile {
  const path = file.path ?? (file.webkitRelativePath || file.name);
  return { path: path.replace(/^\.?\//, ''), file };
}
