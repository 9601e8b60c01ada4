/** The public interface of `attachments`: other modules import only this. */
export { offeredResources, type ResourceGate } from './attach-resource.ts';
export { toPictureUpload } from './pictures/picture-upload.ts';
