declare module "lz4js" {
  export function decompressBlock(from: Uint8Array, to: Uint8Array, at: number, length: number, target: number): number;
  export function decompressFrame(from: Uint8Array, to: Uint8Array): number;
}
