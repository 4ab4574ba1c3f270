// Search in a site that is opened as a file. A browser refuses to start a worker from a file, so the worker's script
// runs in a hidden frame.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(script) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      document.body.append(frame)
      const inside = frame.contentWindow
      inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }))
      this.loaded = new Promise((loaded, failed) => {
        const element = inside.document.createElement("script")
        Object.assign(element, { src: script, onload: loaded, onerror: failed })
        inside.document.body.append(element)
      })
      this.postMessage = data => this.loaded.then(() => inside.dispatchEvent(new MessageEvent("message", { data })))
    }
  }
}
