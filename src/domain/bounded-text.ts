// Reads a body from outside as text, within a bound: a longer one is an error and is never held in memory.

export async function boundedText(body: AsyncIterable<Uint8Array>, bytesMax: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new RangeError(`its answer must be at most ${bytesMax} bytes long`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
