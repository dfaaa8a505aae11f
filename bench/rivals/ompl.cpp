// OMPL with FCL: the problems of bench_path.c, one thread; each sample another seed, until a first path, at most 20 s.
// Motions are sampled at a hundredth (windows: a two-hundredth) of the space: what happens between is not seen.
#include "bench.h"
#include "fcl_model.h"
#include "path_problem.h"

#include <ompl/base/spaces/SE3StateSpace.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/prm/PRM.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include <memory>
#include <vector>

namespace {

namespace ob = ompl::base;
namespace og = ompl::geometric;
using State = ob::SE3StateSpace::StateType;
const double LIMIT = 20.0;

fcl::Transform3<double> transform_of(const ob::State *state) {
    const State *s = state->as<State>();
    const auto &r = s->rotation();
    fcl::Transform3<double> out = fcl::Transform3<double>::Identity();
    out.linear() = fcl::Quaternion<double>(r.w, r.x, r.y, r.z).toRotationMatrix();
    out.translation() = fcl::Vector3<double>(s->getX(), s->getY(), s->getZ());
    return out;
}

void set_pose(ob::ScopedState<ob::SE3StateSpace> &state, const double from[7]) {
    state->setXYZ(from[0], from[1], from[2]);
    state->rotation().w = from[3];
    state->rotation().x = from[4];
    state->rotation().y = from[5];
    state->rotation().z = from[6];
}

struct Planner {
    std::shared_ptr<Model> robot, world;
    std::shared_ptr<ob::SE3StateSpace> space = std::make_shared<ob::SE3StateSpace>();
    std::unique_ptr<og::SimpleSetup> setup;

    Planner(const path_problem &p, bool is_prm, double resolution)
        : robot(make_model(p.robot)), world(make_model(p.world)) {
        ob::RealVectorBounds bounds(3);
        for (unsigned i = 0; i < 3; i++) {
            bounds.setLow(i, p.low[i]);
            bounds.setHigh(i, p.high[i]);
        }
        space->setBounds(bounds);
        setup = std::make_unique<og::SimpleSetup>(space);
        setup->setStateValidityChecker([this](const ob::State *state) {
            fcl::CollisionRequest<double> request(1, false);
            fcl::CollisionResult<double> result;
            fcl::collide(robot.get(), transform_of(state), world.get(), fcl::Transform3<double>::Identity(), request,
                         result);
            return !result.isCollision();
        });
        ob::ScopedState<ob::SE3StateSpace> start(space), goal(space);
        set_pose(start, p.start);
        set_pose(goal, p.goal);
        setup->setStartAndGoalStates(start, goal);
        auto info = setup->getSpaceInformation();
        info->setStateValidityCheckingResolution(resolution);
        if (is_prm)
            setup->setPlanner(std::make_shared<og::PRM>(info));
        else
            setup->setPlanner(std::make_shared<og::RRTConnect>(info));
        setup->setup();
    }
};

void run_seeds(bench *b, path_problem &problem, bool is_prm, double resolution) {
    ompl::msg::setLogLevel(ompl::msg::LOG_NONE);
    Planner planner(problem, is_prm, resolution);
    double runs = 0, found = 0;
    while (bench_repeat(b)) {
        planner.setup->clear();
        planner.setup->solve(LIMIT);
        bench_pause(b);
        runs++;
        found += planner.setup->haveExactSolutionPath() ? 1 : 0;
        bench_count(b, "found of 100", 100 * found / runs);
    }
}

void run_window(bench *b, double side, bool is_prm) {
    path_problem problem;
    if (!path_problem_window(side, &problem)) return bench_skip(b, "out of memory");
    run_seeds(b, problem, is_prm, 0.005);
    path_problem_free(&problem);
}

void run_ompl(bench *b, const char *name) {
    path_problem problem;
    if (!path_problem_ompl(name, &problem)) return bench_skip(b, "FUREAI_SHARED does not lead to the problem");
    run_seeds(b, problem, false, 0.01);
    path_problem_free(&problem);
}

// The quicker of its planners on each: roadmaps on the wide window, trees on the others.
void run_window_17(bench *b) { run_window(b, 1.7, true); }
void run_window_14(bench *b) { run_window(b, 1.4, false); }
void run_easy(bench *b) { run_ompl(b, "Easy"); }
void run_cubicles(bench *b) { run_ompl(b, "cubicles"); }
void run_home(bench *b) { run_ompl(b, "Home"); }
void run_twistycool(bench *b) { run_ompl(b, "Twistycool"); }

} // namespace

int main(int argc, char **argv) {
    static const bench_case cases[] = {{"window 1.7", run_window_17},
                                       {"window 1.4", run_window_14},
                                       {"Easy", run_easy},
                                       {"cubicles", run_cubicles},
                                       {"Home", run_home},
                                       {"Twistycool", run_twistycool}};
    ompl::RNG::setSeed(1);
    return bench_main(argc, argv, "ompl", "path", cases, sizeof cases / sizeof cases[0]);
}
