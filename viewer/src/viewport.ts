// The viewport: renderer, lights, ground and the one three.js camera, all relative to a floating origin, so that a
// scene a million metres from zero is drawn as sharply as one at zero.
import {
    DirectionalLight,
    type Group,
    HemisphereLight,
    Mesh,
    NeutralToneMapping,
    PCFShadowMap,
    PerspectiveCamera,
    Plane,
    PlaneGeometry,
    Scene,
    ShadowMaterial,
    Vector3,
    WebGLRenderer,
} from "three";
import type { Camera } from "./camera";
import { ContactShadow } from "./contact_shadow";
import { Environment } from "./environment";
import { Grid } from "./grid";
import { drawsQuickly } from "./quality";
import { currentTheme, type Theme } from "./theme";
import { add, distance, subtract, times, unit, vec3, type Vec3 } from "./vector";

// Single precision resolves a twentieth of a millimetre at this distance from the origin.
const farFromOrigin = 500;
const coarseRatio = 0.5; // pixels drawn to a pixel of the page, each way, while things move and a processor draws
const sunDirection = unit(vec3(0.45, 1, 0.35));

export interface Ball {
    center: Vec3;
    radius: number;
}

export class Viewport {
    readonly scene = new Scene();
    readonly renderer: WebGLRenderer;
    origin: Vec3 = vec3(0, 0, 0);
    theme: Theme = currentTheme();
    isStill = true; // nothing moves: where a processor draws, only then is every pixel drawn
    cut: { axis: "x" | "y" | "z"; at: number } | null = null; // what is beyond it is not drawn
    readonly lens = new PerspectiveCamera();
    private readonly isQuick = drawsQuickly();
    private readonly around = new HemisphereLight();
    private readonly sun = new DirectionalLight();
    private readonly rim = new DirectionalLight();
    private readonly grid = new Grid();
    private readonly contact: ContactShadow | null;
    private readonly environment: Environment | null;
    private readonly floor = new Mesh(
        new PlaneGeometry(2, 2).rotateX(-Math.PI / 2),
        new ShadowMaterial({ depthWrite: false }), // the grid just above it is never hidden by it
    );

    constructor(
        readonly canvas: HTMLCanvasElement,
        private readonly isFine: boolean,
    ) {
        const antialias = isFine;
        this.renderer = new WebGLRenderer({ canvas, antialias, alpha: true, preserveDrawingBuffer: true });
        this.renderer.toneMapping = NeutralToneMapping;
        this.renderer.shadowMap.type = PCFShadowMap;
        this.renderer.setClearAlpha(0);

        this.contact = isFine ? new ContactShadow() : null;
        this.environment = isFine ? new Environment(this.renderer) : null;
        this.sun.castShadow = true;
        this.sun.shadow.mapSize.set(2048, 2048);
        this.sun.shadow.bias = -3e-4;
        this.sun.shadow.radius = 3;
        this.floor.receiveShadow = true;
        this.floor.renderOrder = -2;
        this.rim.color.set(0xbcd2ff);
        this.scene.add(this.around, this.sun, this.sun.target, this.rim, this.rim.target, this.grid.mesh, this.floor);
        if (this.contact !== null) {
            this.scene.add(this.contact.mesh);
        }
        this.setTheme();
    }

    setTheme(): void {
        const theme = currentTheme();
        this.theme = theme;
        this.around.color.set(theme.sky);
        this.around.groundColor.set(theme.ground);
        // The light of the environment stands for most of the light from all around.
        this.around.intensity = theme.ambience * (this.environment === null ? 1 : 0.22);
        this.environment?.setTheme(theme);
        this.scene.environment = this.environment?.texture ?? null;
        this.scene.environmentIntensity = theme.environment;
        this.contact?.setStrength(theme.contactShadow);
        this.sun.color.set(theme.key);
        this.sun.intensity = theme.sun;
        this.rim.intensity = theme.sun * 0.22;
        this.floor.material.opacity = theme.shadow;
        this.grid.setTheme(theme);
    }

    set showGrid(shown: boolean) {
        this.grid.mesh.visible = shown;
    }

    set showShadows(shown: boolean) {
        this.renderer.shadowMap.enabled = shown;
        this.sun.castShadow = shown;
        this.floor.visible = shown;
        if (this.contact !== null) {
            this.contact.mesh.visible = shown;
        }
    }

    // Draws the soft shadow of bodies on the ground again, after something moved.
    shade(bodies: Group, all: Ball, height: number): void {
        if (this.contact?.mesh.visible === true) {
            this.contact.draw(this.renderer, bodies, all, height, this.origin);
        }
    }

    // Takes the size of the canvas's place in the page. True when it changed.
    resize(camera: Camera): boolean {
        if (this.renderer.xr.isPresenting) {
            return false; // a headset has a size of its own
        }
        const width = Math.max(1, this.canvas.clientWidth);
        const height = Math.max(1, this.canvas.clientHeight);
        const ratio = this.isFine ? Math.min(window.devicePixelRatio, 2) : this.isStill && !this.isQuick ? 1 : coarseRatio;
        if (camera.width === width && camera.height === height && this.renderer.getPixelRatio() === ratio) {
            return false;
        }
        camera.width = width;
        camera.height = height;
        this.renderer.setPixelRatio(ratio);
        this.renderer.setSize(width, height, false);
        return true;
    }

    // Moves the origin to where the camera looks once that is far. True when it moved: all that is drawn must follow.
    moveOrigin(camera: Camera): boolean {
        if (distance(camera.target, this.origin) < farFromOrigin) {
            return false;
        }
        const { x, y, z } = camera.target;
        this.origin = vec3(Math.round(x), Math.round(y), Math.round(z));
        return true;
    }

    // `all` holds everything that is shown, `height` is that of the ground.
    draw(camera: Camera, all: Ball, height: number): void {
        this.placeLens(camera, all);
        this.placeCut();
        this.placeLights(camera, all, height);
        this.grid.place(camera, this.origin, height);
        this.renderer.render(this.scene, this.lens);
    }

    private placeLens(camera: Camera, all: Ball): void {
        const { lens } = this;
        const reach = distance(camera.eye(), all.center) + all.radius;
        if (this.renderer.xr.isPresenting) {
            // Where it is, and how it looks, the headset says.
            lens.near = 0.03;
            lens.far = Math.max(reach, 20) * 1.5;
            return;
        }
        const eye = subtract(camera.eye(), this.origin);
        const ahead = add(eye, camera.forward());
        const up = camera.up();
        const { left, right, bottom, top } = camera.window();
        const near = camera.near();
        lens.near = near;
        lens.far = Math.max(reach, camera.distance * 8) * 1.1;
        lens.position.set(eye.x, eye.y, eye.z);
        lens.up.set(up.x, up.y, up.z);
        lens.lookAt(ahead.x, ahead.y, ahead.z);
        if (camera.isFlat) {
            const d = camera.distance;
            lens.near = -lens.far;
            lens.projectionMatrix.makeOrthographic(left * d, right * d, top * d, bottom * d, lens.near, lens.far);
        } else {
            lens.projectionMatrix.makePerspective(left * near, right * near, top * near, bottom * near, near, lens.far);
        }
        lens.projectionMatrixInverse.copy(lens.projectionMatrix).invert();
    }

    private placeCut(): void {
        const { cut, origin } = this;
        const normal = new Vector3(cut?.axis === "x" ? -1 : 0, cut?.axis === "y" ? -1 : 0, cut?.axis === "z" ? -1 : 0);
        this.renderer.clippingPlanes = cut === null ? [] : [new Plane(normal, cut.at - origin[cut.axis])];
    }

    // The sun follows what is looked at: shadows are sharpest there.
    private placeLights(camera: Camera, all: Ball, height: number): void {
        const seen = Math.min(Math.max(all.radius, 1e-3), camera.distance * 1.5);
        const middle = all.radius < camera.distance * 1.5 ? all.center : camera.target;
        const center = subtract(middle, this.origin);
        const position = add(center, times(sunDirection, seen * 3));
        this.sun.position.set(position.x, position.y, position.z);
        this.sun.target.position.set(center.x, center.y, center.z);
        const { camera: eye } = this.sun.shadow;
        eye.left = eye.bottom = -seen * 1.25;
        eye.right = eye.top = seen * 1.25;
        eye.near = seen * 1.5;
        eye.far = seen * 4.5;
        eye.updateProjectionMatrix();

        const back = camera.behind();
        this.rim.position.set(center.x - back.x * seen, center.y + seen * 0.4, center.z - back.z * seen);
        this.rim.target.position.copy(this.sun.target.position);
        this.floor.position.set(center.x, height - this.origin.y - seen * 1e-3, center.z);
        this.floor.scale.set(seen * 4, 1, seen * 4);
    }
}
